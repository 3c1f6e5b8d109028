"""Clean a nickname that comes from outside, so that it can be shown."""

import unicodedata

LONGEST = 40  # characters


def cleaned(name: object) -> str:
    """Return a nickname without control, formatting and bidirectional characters, cut to LONGEST; "" for none.

    Anything but a string counts as none.
    """
    if not isinstance(name, str):
        return ""
    name = unicodedata.normalize("NFC", name[: 8 * LONGEST])
    # C: control, format (direction among it), halves of characters, private use, unassigned.
    letters = (" " if letter.isspace() else letter for letter in name if letter.isspace() or not _steers(letter))
    return " ".join("".join(letters).split())[:LONGEST].strip()


def _steers(letter):
    return unicodedata.category(letter).startswith("C")
