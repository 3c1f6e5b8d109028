"""Judge a learner's answer to an exercise; start reading at `exercise`."""
