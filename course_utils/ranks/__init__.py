"""The machinery behind `course_utils.launch`: processes of ranks, what is sent to them, and how they fail."""
