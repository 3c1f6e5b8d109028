"""What stands behind `course_utils.checkpoint`: the file, its checksum, and how states are put back."""
