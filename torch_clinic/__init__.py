"""What a PyTorch traceback means and what to do about it: `diagnosis` reads one, `cases` holds what is known."""
