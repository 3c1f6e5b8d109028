"""Release notebooks to a class, collect the submissions, and grade each in a sandbox (docs/room.md)."""
