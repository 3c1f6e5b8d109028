"""What a text says of a person or a machine, taken out: an answer by mail must not carry it."""

import getpass
import os
import platform
import re
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

from lessonkit.doctor.facts import FOLDERS
from lessonkit.system.place import HOME, PROJECT
from lessonkit.system.private import REMOVED, secrets

KEPT = {*FOLDERS, "/dev/shm"}  # the course's own names of places, the same everywhere
LETTERS = 20  # from which a word of letters and digits may be a token
PLACES = "COURSE_DATA", "COURSE_WORK", "COURSE_HOME", "VIRTUAL_ENV", "CONDA_PREFIX", "TMPDIR", "TEMP", "TMP"
PEOPLE = "USER", "USERNAME", "LOGNAME", "USERDOMAIN", "COMPUTERNAME", "HOSTNAME"
PATTERNS = (
    (r"\b\w+://\S+", "<address>"),
    (r"[\w.+-]+@[\w-]+\.[\w.-]+", "<mail>"),
    (r"(?i)\b(\w*(?:token|secret|password|passwd|api_?key))\b(\s*[=:]\s*)\S+", r"\1\2<removed>"),
    (r"\b(?!127\.0\.0\.1\b)\d{1,3}(?:\.\d{1,3}){3}\b", "<address>"),
    (r"(?i)\b(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{1,4}\b", "<address>"),
    (r"(?i)\b[0-9a-f]{4}(?::[0-9a-f]{1,4})*::[0-9a-f:]*", "<address>"),
    (r"(?<!\w)(['\"])[^'\"]*[\\/][^'\"]*\1", r"\1<path>\1"),  # in quotes, where it may hold spaces
)
PATH = r"(?:[A-Za-z]:)?[^\s'\"(),;:]*[\\/][^\s'\"(),;:]*"


def known() -> dict[str, str]:
    """Return what is known here of this person and machine, each with what is written in its place."""
    places = {os.environ[name]: f"<{name}>" for name in PLACES if os.environ.get(name)}
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - where nobody knows a home, Path.home() raises
    places |= {str(home): "~", sys.prefix: "<python>", str(PROJECT): "<course>", str(HOME): "<course>"}
    hosts = {socket.gethostname(), platform.node()}
    people = {os.environ.get(name, "") for name in PEOPLE} | {_user(), home.name.strip("~")}
    people |= hosts | {host.partition(".")[0] for host in hosts}
    places |= dict.fromkeys(secrets(), REMOVED)
    return places | {name: "<name>" for name in people if len(name) > 1}  # a user "2" would spoil every version


def redacted(text: str, names: Mapping[str, str]) -> str:
    """Return the text without the `names`, other paths, addresses and whatever looks like a token.

    `names` maps what is known to what is written for it; longest first, whole words, in any case of letters.
    """
    for name in sorted(names, key=len, reverse=True):
        for written in {name, name.replace("\\", "/")}:
            if len(written.strip("/\\")) > 0:
                edges = rf"(?<!\w){re.escape(written)}(?!\w)"
                text = re.sub(edges, lambda _, name=name: names[name], text, flags=re.IGNORECASE)
    for pattern, instead in PATTERNS:
        text = re.sub(pattern, instead, text)
    text = re.sub(PATH, lambda found: found.group() if found.group() in KEPT else "<path>", text)
    return re.sub(rf"[\w+=-]{{{LETTERS},}}", _token, text)


def _token(found):
    word = found.group()
    return "<removed>" if re.search(r"\d", word) and re.search(r"[A-Za-z]", word) else word


def _user():
    """Return the user's name, empty where the system has none for this number."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # a container's user without an entry; Windows without variables
        return ""
