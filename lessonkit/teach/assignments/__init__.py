"""Assignments for nbgrader: the chapters in the form that its own commands take; `course.write` is the door."""
