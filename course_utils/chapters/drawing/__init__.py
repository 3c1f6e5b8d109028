"""A digit of the learner's own: a pad to draw on in a notebook, and the file of the drawing as MNIST would have it."""
