"""One file for each of the instructor's `course` commands."""
