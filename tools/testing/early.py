"""A plugin of pytest, by `-p tools.testing.early` before the others: each process of pytest starts 1.3 s earlier.

nbval, which they all load, imports nbformat.
"""

from lessonkit.system import fast_imports

fast_imports.defer_grammar()
