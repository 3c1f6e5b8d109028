"""Helpers of chapter 11."""
