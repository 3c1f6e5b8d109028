"""A digit of the learner's own: a pad to draw on in a notebook, and its file as an image like those of MNIST."""
