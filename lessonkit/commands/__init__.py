"""One file for each of the `course` commands that do more than call one function."""
