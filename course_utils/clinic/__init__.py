"""The cases of chapter 12 and how a traceback is matched to one; the doors are `cases`, `diagnosis`, `question`."""
