"""For chapter 10."""
