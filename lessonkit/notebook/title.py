"""What the first cell of a chapter says: its claim and its minutes."""

import re

MINUTES = re.compile(r"(\d+) minutes(?: for the core, (\d+) with \*Further\*)?")


def minutes(title: str) -> tuple[int, int]:
    """Return the minutes for the core and for all of it, equal for a chapter that is not divided.

    Raises ValueError where the text names none.
    """
    found = MINUTES.search(title)
    if found is None:
        raise ValueError(f"no minutes in the title cell that begins with {title.splitlines()[:1]}")
    core, whole = found.groups()
    return int(core), int(whole or core)


def claim(title: str) -> str:
    """Return what stands behind the number in the first line: `# 05 · The same net …`."""
    return title.splitlines()[0].partition("·")[2].strip()
