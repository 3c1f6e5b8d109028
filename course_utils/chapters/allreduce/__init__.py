"""For chapter 11."""
