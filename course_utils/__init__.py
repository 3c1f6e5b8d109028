"""Helpers that more than one chapter of the course needs; every module is imported by its own name."""

from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]  # the folder of the clone
