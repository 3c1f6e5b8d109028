"""The questions of the course, one module per notebook (its slug without the number)."""
