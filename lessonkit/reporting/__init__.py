"""The learner's side of the live classroom page: join it, leave it, and report each verdict to it."""
