"""The questions of the toy course, one folder per notebook."""
