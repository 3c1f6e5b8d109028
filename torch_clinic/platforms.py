"""What a text about a package that was not found says of the system: Mac, Windows, uv, versions offered."""

import re

from torch_clinic.expressions import Expression

ABOUT_A_PACKAGE = Expression(
    r"No matching distribution found|satisfies the requirement|has no wheels|can't be installed because"
    r"|is not a supported wheel"
    r"|No solution found when resolving|not available from current channels"
)
INTEL_MAC = Expression(r"macosx_\d+_\d+_(?:x86_64|intel)|osx-64|[Dd]arwin\S* x86_64")
MAC = Expression(r"macosx_|\bmacOS\b|[Dd]arwin|/Users/\w|/opt/homebrew|osx-arm64")
WINDOWS = Expression(r"win_amd64`\)|You're on Windows|\bPS [A-Z]:\\|^[A-Z]:\\[^>\n]*>", re.MULTILINE)
UV = Expression(r"\buv (?:pip|add|sync|run|lock)\b|No solution found when resolving|@ registry\+|[╰├]─▶")
ONES_OWN = Expression(r"You're on \S+ \(`\w+`\)")  # uv's; the systems that it lists behind it have files
A_FILE = Expression(r"[\w.+-]{1,200}\.whl\b|only has wheels for the following platforms: .*")
INDEX = Expression(r"whl/(?:nightly/|test/)?(cu\d+|cpu|rocm[\d.]+|xpu)\b")
OFFERED = Expression(r"\(from versions: ([^)]*)\)")


def with_system(message: str, text: str) -> str:
    """Return `message`, of a package that was not found, with what `text` says of the system in brackets behind it.

    "[Intel Mac]", "[Mac]", "[Windows]", "[uv]", "[newest offered: 2.2.2]" or "[none offered]",
    "[index: cu121]"; nothing else.

    >>> with_system("No matching distribution found for torch", "(from versions: 2.2.1, 2.2.2)")
    'No matching distribution found for torch [newest offered: 2.2.2]'
    """
    if not ABOUT_A_PACKAGE.search(message):
        return message
    own = ONES_OWN.search(text)
    text = (own[0] if own else "") + A_FILE.sub("", text)
    mac = "[Intel Mac]" if INTEL_MAC.search(text) else "[Mac]" if MAC.search(text) else ""
    said = [mac, "[Windows]" if WINDOWS.search(text) else "", "[uv]" if UV.search(text) else ""]
    if offered := OFFERED.search(text):
        newest = offered[1].rpartition(",")[2].strip()
        said.append(f"[newest offered: {newest}]" if newest not in ("", "none") else "[none offered]")
    if index := INDEX.search(text):
        said.append(f"[index: {index[1]}]")
    return " ".join([message, *filter(None, said)])
