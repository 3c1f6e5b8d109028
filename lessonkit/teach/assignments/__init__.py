"""Assignments for nbgrader: the chapters in the form that its commands take (`course_directory.write`)."""
