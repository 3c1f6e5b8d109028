"""Helpers of chapter 10."""
