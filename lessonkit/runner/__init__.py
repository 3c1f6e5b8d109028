"""Execute chapters, each in a process of its own, and write a report; start reading at `run`."""
