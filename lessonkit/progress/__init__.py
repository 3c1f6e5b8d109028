"""What a learner has solved: noted at each check, summed up, shown on the start page; all on this machine."""
