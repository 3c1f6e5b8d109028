"""Helpers that more than one chapter of the course needs; every module is imported by its own name."""
