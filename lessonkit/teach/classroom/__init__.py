"""The live classroom page: kernels whose learner has joined report their verdicts to the instructor's machine."""
