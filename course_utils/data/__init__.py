"""What stands behind `course_utils.datasets`: which sets there are, where, how fetched and read."""
