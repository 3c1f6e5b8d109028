"""What stands behind `course_utils.launch`: a rank's process, what travels to it, what it was doing."""
