"""The machinery behind `course_utils.datasets`: which data sets there are, where they lie, how they are read."""
