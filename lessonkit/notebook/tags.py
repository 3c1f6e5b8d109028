"""The tags that a cell of a notebook may have, and what each means to the programs that read it."""

PARAMETERS = "parameters"  # PROFILE, SEED and DEVICE: the runner puts a cell with other values behind this one
EXERCISE = "exercise"  # a stub and its check: the runner can fill it with the reference
QUESTION = "question"  # a letter to choose and its `ask`: the runner can fill it too
RAISES = "raises-exception"  # the cell raises on purpose, and Run All goes on behind it
SHOWS_WARNING = "shows-warning"  # the cell shows a warning on purpose; in any other cell a warning is a failure
UNCOMPARED = "nbval-ignore-output"  # CI does not compare this cell's output, and a refresh keeps the stored one
FURTHER = "further"  # the cell is not in the core, and `course run --core` leaves it out
SLIDE_SKIP = "slide-skip"  # the cell is on no slide of `course slides`, and in no notes
LIVE_OUTPUT = "live-output"  # the output means something only in a running kernel, so none is stored
