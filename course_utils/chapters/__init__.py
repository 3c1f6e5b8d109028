"""What one chapter alone uses and does not teach line by line, by the notebook's name."""
