"""A room of learners: notebooks for them, theirs gathered, each judged where it can harm nobody (docs/room.md)."""
