"""The `course` commands, one file for each."""
