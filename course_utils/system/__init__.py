"""What every room stands on: processes, atomic files, the progress bar."""
