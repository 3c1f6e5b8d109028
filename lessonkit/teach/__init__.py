"""What an instructor uses: grading, the live page, slides, assignments, bundles."""
