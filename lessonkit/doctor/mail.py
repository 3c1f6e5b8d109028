"""What a learner sends back before the course: a verdict in one line and what explains it, without a name."""

import contextlib
import hashlib
import json
from collections.abc import Iterable, Mapping
from importlib import metadata

from lessonkit.doctor import forecast, ground
from lessonkit.doctor.facts import Facts
from lessonkit.doctor.findings import examine, merged
from lessonkit.doctor.redact import known, redacted
from lessonkit.notebook import title
from lessonkit.notebook.catalog import Chapter, data_sets
from lessonkit.system.course import CourseError, course
from lessonkit.system.finding import Finding

GIB = 1 << 30  # bytes
LONGEST = 160  # characters of a finding: an answer is read by a person, with thirty others


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
    """Return what `ground.network` does; a package that asking needs and that is not there is a reason, too."""
    try:
        return ground.network()
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
    if facts.work_seconds is not None:
        every = forecast.minutes(facts.work_seconds)
        each = {_number(one): every[_number(one)] for one in chapters}
        table = ", ".join(f"{number} {forecast.rounded(value)}" for number, value in each.items())
        yield f"{forecast.rounded(sum(each.values()))} of computing ({table})"
    elif facts.course.lacks:
        yield f"not measured, as {facts.course.lacks} is missing"
    first = [json.loads(one.path.read_text(encoding="utf-8"))["cells"][0]["source"] for one in chapters]
    with contextlib.suppress(ValueError):  # a course whose titles name no minutes
        yield f"{sum(title.minutes(''.join(source))[0] for source in first)} to work the cores through"


def _number(chapter):
    return chapter.name.partition("_")[0]


def _version():
    with contextlib.suppress(metadata.PackageNotFoundError, ValueError):  # ValueError: course.toml names none
        return metadata.version(course().distribution)
    return "not installed"
