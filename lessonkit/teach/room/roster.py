"""The list of who is in a course, as learning platforms export it, and which of its names a hand-in's name is."""

import csv
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

from lessonkit.notebook.decoding import decoded
from lessonkit.system.errors import Refused
from lessonkit.system.plain_file import read_plain
from lessonkit.teach.room.names import key, last_name_last, without_accents, words_of

_MOST = 4  # words of a name that are tried in every order
# Headings of columns, in small letters, as platforms of several languages write them.
_WHOLE = """name|fullname|full name|student|student name|vollständiger name|name, vorname|nachname, vorname|learner
display name|anzeigename|teilnehmer|teilnehmer/in|participant|nom complet|nombre completo|nome completo
имя|姓名|氏名|이름"""
_FIRST = """first name|firstname|first|first name(s)|given name
forename|vorname|vorname(n)|prénom|nombre|nombre(s)|nome"""
_LAST = """last name|lastname|last|surname|family name|nachname|familienname|nom|apellido|apellidos|apellido(s)
cognome|фамилия"""
_NUMBER = """id|id number|idnumber|student id|matrikelnummer|sis user id|orgdefinedid|sid|user id|userid|identifier
number|nummer"""
_LOGIN = """login|username|user name|sis login id|anmeldename|benutzername|email|e-mail|email address|e-mail-adresse
mail|github|github username|github_username|user|kennung"""


@dataclass(frozen=True)
class Entry:
    """One person on the list."""

    name: str
    numbers: frozenset[str] = frozenset()
    logins: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Match:
    """The entries that a name may be, none for nobody; `likely`: those that it may be by its initials, a guess."""

    entries: tuple[Entry, ...] = ()
    likely: tuple[Entry, ...] = ()


def read_roster(path: Path) -> list[Entry]:
    """Return the people on a list. Raises `Refused` for a file that names none, with what was found and expected.

    The file is CSV as Excel or a platform writes it: in any encoding, with commas, semicolons or tabs.
    """
    try:
        data = read_plain(path)
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}") from None
    if data.startswith((b"PK", b"\xd0\xcf\x11\xe0")):
        raise Refused(f"{path} is an Excel workbook; save it as CSV, and give that as --roster")
    text = re.sub(r"\Asep=.\r?\n", "", decoded(data).text, flags=re.IGNORECASE)
    try:
        read = csv.reader(io.StringIO(text.replace("\0", ""), newline=""), delimiter=_delimiter(text))
        rows = [[cell.strip() for cell in row] for row in read]
    except csv.Error as error:
        raise Refused(f"{path} is no CSV file that can be read ({error})") from None
    rows = [row for row in rows if any(row)]
    if not rows:
        raise Refused(f"{path} holds no names")
    return _entries(path, rows)


def _delimiter(text: str) -> str:
    """Return what parts the columns: the mark that most lines have; a comma may be a name's, `Müller, Anna`."""
    lines = [re.sub(r'"[^"]*"', "", line) for line in text.splitlines() if line.strip()][:50]
    for mark in ("\t", ";"):
        if lines and sum(mark in line for line in lines) > len(lines) / 2:
            return mark
    if lines and "," not in lines[0]:  # one column, in which `Müller, Anna` may stand
        return "\t"
    return ","


def _entries(path: Path, rows: list[list[str]]) -> list[Entry]:
    head = [cell.lower().strip().lstrip("#").strip() for cell in rows[0]]
    whole, first, last = (_column(head, names) for names in (_WHOLE, _FIRST, _LAST))
    numbers, logins = _columns(head, _NUMBER), _columns(head, _LOGIN)
    if first is not None and last is not None:
        body, name = rows[1:], lambda row: f"{_cell(row, first)} {_cell(row, last)}".strip()
    elif whole is not None:
        body, name = rows[1:], lambda row: last_name_last(_cell(row, whole))
    elif all(len(list(filter(None, row))) == 1 for row in rows):
        body, name = rows, lambda row: last_name_last(next(filter(None, row)))
    elif len(rows[0]) == 2 and not (numbers or logins) and first is last is None:  # `Müller, Anna` on each line
        if all(len(row) == 2 and all(row) and not any(map(str.isdecimal, "".join(row))) for row in rows):
            raise Refused(
                f"the first line of {path} ({', '.join(rows[0])}) does not say which column is the first name; "
                "write a line `last name,first name` (or the other way round) above it"
            )
        raise Refused(_unknown(path, rows[0]))
    else:
        raise Refused(_unknown(path, rows[0]))
    found = []
    for row in body:
        if not key(name(row)) or re.match(
            r"(points possible|student, test|test student)", " ".join(row).strip(), re.I
        ):
            continue
        digits = {re.sub(r"\.0$", "", _cell(row, one).lstrip("#")) for one in numbers} - {""}
        digits |= {end[0] for one in digits if (end := re.search(r"\d+$", one))}
        users = {_cell(row, one).lstrip("#").lower() for one in logins} - {""}
        users |= {one.partition("@")[0] for one in users}
        found.append(Entry(name(row), frozenset(digits), frozenset(users)))
    if not found:
        raise Refused(f"{path} has a line of headings and no names below it")
    return list(dict.fromkeys(found))


def _unknown(path: Path, head: Sequence[str]) -> str:
    return (
        f"{path} has no column of names that is known: its first line is {', '.join(head)[:200]!r}; expected is a "
        "column `name`, or two columns `first name` and `last name`, as learning platforms export them"
    )


def _column(head: Sequence[str], names: str) -> int | None:
    return next((head.index(name) for name in re.split("[|\n]", names) if name in head), None)


def _columns(head: Sequence[str], names: str) -> list[int]:
    return [number for number, cell in enumerate(head) if cell in re.split("[|\n]", names)]


def _cell(row: Sequence[str], column: int) -> str:
    return row[column] if column < len(row) else ""


def match(name: str, roster: Sequence[Entry], *, number: str = "", login: str = "") -> Match:
    """Return which people on the list a name may be: one, none, or several where it is ambiguous.

    The surest sign that anybody has decides: a number or login, the same name, the same words in another order, the
    same without accents, further middle names, the words written as one.
    """
    words = [word for word in words_of(last_name_last(name)) if not word.isdecimal()]
    named = by_name(words, roster)
    by_login = [one for one in roster if login and login.lower() in one.logins]
    by_number = [one for one in roster if number and number in one.numbers]
    for sure in (by_number, by_login):
        if len(sure) == 1 and (not named or sure[0] in named or not words):
            return Match(tuple(sure))
    if not named and words:
        joined = "".join(words)
        by_login = [
            one for one in roster if (len(words) == 1 and words[0] in one.logins) or name.lower() in one.logins
        ]
        if by_login:
            return Match(tuple(by_login))
        return Match(likely=tuple(one for one in roster if joined in set(_short(one)) or _initial(words, one)))
    return Match(tuple(named))


def by_name(words: list[str], roster: Sequence[Entry]) -> list[Entry]:
    """Return whose name these words are, by the surest sign that anybody has; numbers and logins do not count."""
    if not words:
        return []
    entries = [(one, words_of(one.name)) for one in roster]
    tests: list[Callable[[list[str], list[str]], bool]] = [lambda a, b: a == b, lambda a, b: sorted(a) == sorted(b)]
    for german in (True, False):
        tests.append(lambda a, b, german=german: _plain(a, german) == _plain(b, german))
    tests.append(lambda a, b: any(_plain(a, x) == _plain(b, y) for x in (True, False) for y in (True, False)))
    tests += [_is_part_of, _joined]
    for test in tests:
        if found := [one for one, theirs in entries if theirs and test(words, theirs)]:
            return found
    return []


def _plain(words: Sequence[str], german: bool) -> list[str]:
    return sorted(without_accents(word, german=german) for word in words)


def _is_part_of(a: Sequence[str], b: Sequence[str]) -> bool:
    """Return whether one name is the other with further middle names: at least two words, the ends among them."""
    for german in (True, False):
        one, two = ([without_accents(word, german=german) for word in words] for words in (a, b))
        short, long = sorted((one, two), key=len)
        ends = {long[0], long[-1]} if long else set()
        if len(short) > 1 and len(short) < len(long) and set(short) <= set(long) and ends <= set(short):
            return True
    return False


def _joined(a: Sequence[str], b: Sequence[str]) -> bool:
    """Return whether a name is the words of the other written as one, in any order: Canvas' `muelleranna`."""
    if (len(a) > 1 and len(b) > 1) or len(b) > _MOST or len(a) > _MOST:
        return False
    for x in (True, False):
        for y in (True, False):
            one, two = (
                [without_accents(word, german=german) for word in words] for words, german in ((a, x), (b, y))
            )
            if {"".join(order) for order in permutations(one)} & {"".join(order) for order in permutations(two)}:
                return True
    return False


def _short(one: Entry) -> list[str]:
    """Return how logins are made of a name: `amueller`, `anna.m`, `muellera`, `am`."""
    found = []
    for german in (True, False):
        words = [without_accents(word, german=german) for word in words_of(one.name)]
        if len(words) > 1:
            first, last = words[0], words[-1]
            found += [first[0] + last, last + first[0], first + last[0], first, last]
    return found


def _initial(words: Sequence[str], one: Entry) -> bool:
    theirs = words_of(one.name)
    if len(words) < 2 or len(theirs) < 2:
        return False
    return (words[-1] == theirs[-1] and theirs[0].startswith(words[0])) or set(words) < set(theirs)
