"""The learner's side of a classroom's page: joining, leaving, and reporting each verdict."""
