"""The engine of the course: it runs, judges and looks after notebooks, and knows no chapter."""
