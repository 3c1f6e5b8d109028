"""What `course doctor` finds on a machine; start reading at `findings`."""
