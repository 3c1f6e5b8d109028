"""The machinery behind `course_utils.checkpoint`: the file format with its checksum, and how states are loaded."""
