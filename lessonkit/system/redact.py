"""Remove passwords, tokens and the names of people and machines from text that is stored or sent."""

import getpass
import os
import re
import socket
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote

from lessonkit.system.place import HOME, PROJECT

REMOVED = "<removed>"
# Of variables. PGPASSWORD is one, TOKENIZERS_PARALLELISM is none.
NAMES = re.compile(
    r"(?i)PASSWORD|PASSWD|PASSPHRASE|"
    r"(?:^|_)(?:TOKEN|SECRET|PASS|PWD|CREDENTIALS?|(?:API|ACCESS|SECRET|PRIVATE)_?KEY)(?:$|_)"
)
NO_SECRET = {"PWD", "OLDPWD"}
WORDS = {"true", "false", "none", "null", "auto"}  # no secret, whatever the variable is called
SHORTEST = 4  # characters of a secret: the text of a shorter one stands in many words
# `user:password@`, behind the `http://` of an address or where a word begins; behind `http://` a token alone, too.
LOG_IN = re.compile(r"(?:(?<=://)|(?<![^\s'\"=]))[^/@\s'\"=:]+:[^/@\s'\"]+(?=@)|(?<=://)[^/@\s'\"]+(?=@)")
PATTERNS = (
    (LOG_IN, REMOVED),
    (re.compile(r"(?i)([?&](?:token|access_token|api_key|password|sig|signature)=)[^&\s'\"<>]+"), rf"\1{REMOVED}"),
    (re.compile(r"(?i)\b(bearer|authorization: basic) [\w.~+/=-]{8,}"), rf"\1 {REMOVED}"),
    (re.compile(r"\b(?:hf|gh[pousr]|github_pat|glpat|pypi|sk|xox[abp])[-_][\w-]{16,}"), REMOVED),
    (re.compile(r"\bAKIA[0-9A-Z]{16}\b"), REMOVED),
)
# User names that identify nobody. Removing such a common word would spoil sentences.
NOBODY = {"root", "user", "learner", "runner", "ubuntu", "jovyan", "vscode", "codespace", "localhost", "home"}


def secrets(environment: Mapping[str, str] | None = None) -> set[str]:
    """Return the secrets in environment variables: those called so, and log-ins in addresses such as a proxy's."""
    found = set()
    for name, value in (os.environ if environment is None else environment).items():
        if NAMES.search(name) and name not in NO_SECRET:
            found.add(value.strip())
        for log_in in LOG_IN.findall(value):
            user, _, password = log_in.partition(":")
            found |= {log_in, unquote(log_in), user, password, unquote(password)}
    return {value for value in found if len(value) >= SHORTEST and value.lower() not in WORDS}


def without_secrets(text: str) -> str:
    """Return a text without this process's `secrets`, log-ins in addresses and what looks like a token."""
    for secret in sorted(secrets(), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", REMOVED, text)
    for pattern, instead in PATTERNS:
        text = pattern.sub(instead, text)
    return text


def discreet(text: str) -> str:
    """Return a text `without_secrets`, and without the folders, the user and the host that say who sits here."""
    text = without_secrets(text)
    for name, instead in sorted(_places().items(), key=lambda item: len(item[0]), reverse=True):
        text = re.sub(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", lambda _, instead=instead: instead, text)
    return text


def _places():
    """Return folder or name -> what is written for it."""
    home = os.path.expanduser("~")  # noqa: PTH111 - where nobody knows a home, Path.home() raises
    places = {str(PROJECT): "<course>", str(HOME): "<course>", sys.prefix: "<python>", home: "~"}
    places = {path: instead for path, instead in places.items() if len(Path(path).parts) > 1}
    host = socket.gethostname()
    people = {user(), Path(home).name, host, host.partition(".")[0]} - NOBODY
    return {name: "<name>" for name in people if len(name) > 2 and not name.startswith("~")} | places


def user() -> str:
    """Return the user's name, empty where the system has none for this number."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # a container's user without an entry; Windows without variables
        return ""
