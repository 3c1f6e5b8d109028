"""The learner's copies of the chapters: filled, brought up to date, begun anew; the originals are only read."""
