"""The sandbox of a submission: how it is isolated, started, limited and heard (start reading at `process.py`)."""
