"""The learner's copies of the chapters: create, update and reset them. The originals are only read."""
