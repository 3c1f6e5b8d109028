"""What the notebooks of the toy course import."""
