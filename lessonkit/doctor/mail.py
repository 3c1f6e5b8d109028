"""Write the lines that a learner sends back before the course: a verdict and its reasons, without personal data."""

import contextlib
import hashlib
import json
import os
import platform
import re
import socket
import sys
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path

from lessonkit.doctor import forecast
from lessonkit.doctor.facts import FOLDERS, Facts, why_no_download
from lessonkit.doctor.findings import examine, merged
from lessonkit.notebook import catalog
from lessonkit.notebook.catalog import Chapter, data_sets
from lessonkit.system.course import CourseError, course
from lessonkit.system.finding import Finding
from lessonkit.system.place import HOME, PROJECT
from lessonkit.system.redact import REMOVED, secrets, user

GIB = 1 << 30  # bytes
LONGEST = 160  # characters of a finding: an answer is read by a person, with thirty others
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


def letter(
    facts: Facts, chapters: list[Chapter], *, network: str | None, names: Mapping[str, str] | None = None
) -> tuple[str, bool]:
    """Return what to send back, a few lines, and whether this machine is ready for the chapters.

    `network` is why no server answers, empty where one does, None where nothing was to be asked; `names` what
    to take out, this machine's unless given.
    """
    names = known() if names is None else names
    needed = {f"data: {name}" for chapter in chapters for name in data_sets(chapter)}
    findings = [one for one in examine(facts) if not one.name.startswith("data: ") or one.name in needed]
    problems = [one for one in findings if one.state == "problem" and one.name not in facts.course.stops_nobody]
    warnings = [one for one in findings if one.state != "ok" and one not in problems and one.name != forecast.NAME]
    because = "; ".join(_short(one, names) for one in problems)
    lines = [
        ("verdict", f"not ready because {because}" if problems else "ready"),
        ("system", f"{facts.system} {facts.processor}".strip()),
        ("python", ".".join(map(str, facts.python))),
        ("course", f"{_version()}, chapters {' '.join(_number(one) for one in chapters)} as {edition(chapters)}"),
        ("memory", f"{facts.memory_free / GIB:.1f} of {facts.memory_total / GIB:.1f} GiB free"),
        ("disk", f"{facts.disk_free / GIB:.1f} GiB free"),
    ]
    if network is not None:
        lines.append(("network", f"no: {redacted(network, names)[:LONGEST]}" if network else "yes"))
    if needed or facts.course.sources:
        lines.append(("data", ", ".join(_data(facts, sorted(needed)))))
    if minutes := "; ".join(_minutes(facts, chapters)):
        lines.append(("minutes", minutes))
    lines = merged(lines, facts.course.lines)
    lines += [("look at", _short(one, names)) for one in warnings]
    lines += [("to do", one.fix) for one in problems]
    return "\n".join(f"{name:10}{text}" for name, text in lines), not problems


def edition(chapters: Iterable[Chapter]) -> str:
    """Return eight letters and digits that are the same wherever these notebooks are the same."""
    total = hashlib.sha256()
    for chapter in chapters:  # parsed, as git may have other line ends on Windows
        content = json.loads(chapter.path.read_text(encoding="utf-8"))
        total.update(json.dumps(content, sort_keys=True).encode())
    return total.hexdigest()[:8]


def network() -> str | None:
    """Return what `why_no_download` does; where asking needs a package that is missing, that is the reason."""
    try:
        return why_no_download()
    except CourseError as error:
        return str(error)


def _short(finding: Finding, names):
    found = redacted(finding.found, names).partition("\n")[0]
    return f"{finding.name}: {found if len(found) <= LONGEST else found[: LONGEST - 2] + ' …'}"


def _data(facts, needed):
    for name in needed:
        name = name.removeprefix("data: ")
        yield f"{name} {facts.course.sources.get(name, 'not asked')}"


def _minutes(facts, chapters):
    """Yield how long the chapters compute here and how long people work on their cores, where that is known."""
    if facts.work_seconds is not None and (every := forecast.minutes(facts.work_seconds)):
        each = {_number(one): every[_number(one)] for one in chapters}
        table = ", ".join(f"{number} {forecast.rounded(value)}" for number, value in each.items())
        yield f"{forecast.rounded(sum(each.values()))} of computing ({table})"
    elif facts.course.lacks:
        yield f"not measured, as {facts.course.lacks} is missing"
    first = [json.loads(one.path.read_text(encoding="utf-8"))["cells"][0]["source"] for one in chapters]
    with contextlib.suppress(ValueError):  # a course whose titles name no minutes
        yield f"{sum(catalog.minutes(''.join(source))[0] for source in first)} to work the cores through"


def _number(chapter):
    return chapter.name.partition("_")[0]


def _version():
    with contextlib.suppress(metadata.PackageNotFoundError, ValueError):  # ValueError: course.toml names none
        return metadata.version(course().distribution)
    return "not installed"


def known() -> dict[str, str]:
    """Return what is known here of this person and machine, each with what is written in its place."""
    places = {os.environ[name]: f"<{name}>" for name in PLACES if os.environ.get(name)}
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - where nobody knows a home, Path.home() raises
    places |= {str(home): "~", sys.prefix: "<python>", str(PROJECT): "<course>", str(HOME): "<course>"}
    hosts = {socket.gethostname(), platform.node()}
    people = {os.environ.get(name, "") for name in PEOPLE} | {user(), home.name.strip("~")}
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
