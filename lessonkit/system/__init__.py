"""What every room stands on: processes, atomic files, the progress bar, a container's limits."""
