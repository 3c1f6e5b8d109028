"""Names from outside: a nickname as it may be shown, and whether an address is this machine's own."""

import ipaddress
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


def is_loopback(address: str) -> bool:
    """Return whether only programs of this machine can reach the address."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"
