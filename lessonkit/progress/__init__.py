"""Record what a learner has solved, sum it up, and show it on the start page; all of it stays on this machine."""
