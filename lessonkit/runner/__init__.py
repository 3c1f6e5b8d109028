"""Executes chapters, each in a process of its own, and reports; the door is `run`."""
