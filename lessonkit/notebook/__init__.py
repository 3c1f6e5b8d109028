"""Read facts about a course from its notebooks (.ipynb files); nothing is executed here."""
