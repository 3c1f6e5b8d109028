"""Helpers that one chapter alone uses and does not teach line by line, in modules of the chapter's name."""
