"""The room, live: kernels whose learner said yes report their verdicts to a page on the instructor's machine."""
