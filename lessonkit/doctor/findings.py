"""What stands between this machine and the course: each fact judged, each trouble with its fix in one sentence."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TypeVar

from lessonkit.doctor import around
from lessonkit.doctor.facts import Facts, gather
from lessonkit.doctor.forecast import speed
from lessonkit.doctor.space import disk, memory, shared_memory
from lessonkit.system.finding import Finding

One = TypeVar("One", bound=tuple)  # a finding, or a line of the mail


def examine(facts: Facts | None = None) -> list[Finding]:
    """Return every finding about this machine, or about the one that `facts` describes; the course's among them."""
    facts = gather() if facts is None else facts
    checks = [python, packages, speed, memory, shared_memory, disk, folders, loopback]
    checks += [around.path, around.text, around.home, around.clock, around.proxy, browser]
    own = [check(facts) for check in checks]
    return merged([finding for finding in own if finding is not None], facts.course.findings)


def merged(own: Sequence[One], added: Mapping[str, Sequence[One]]) -> list[One]:
    """Return the rows `own` with each group of `added` behind the row of its name, a row's first element."""
    left, rows = dict(added), []
    for row in own:
        rows += [row, *left.pop(row[0], ())]
    return [*rows, *chain.from_iterable(left.values())]


def python(facts: Facts) -> Finding:
    """Return whether this Python is one that the course runs on."""
    found = ".".join(map(str, facts.python))
    if (3, 11) <= facts.python[:2] <= (3, 13):
        return Finding("Python", "ok", found)
    fix = "Install Python 3.11, 3.12 or 3.13, delete the folder `.venv` and run `make setup`."
    return Finding("Python", "problem", f"{found}, the course runs on 3.11 to 3.13", fix)


def packages(facts: Facts) -> Finding:
    """Return whether every package that the course asks for is installed."""
    if not facts.missing:
        return Finding("packages", "ok", "all that the course asks for")
    some = ", ".join(facts.missing[:6]) + (" and others" if len(facts.missing) > 6 else "")
    fix = "Run `make setup` in the course's folder, or what README.md says for a system without make."
    return Finding("packages", "problem", f"missing: {some}", fix)


def folders(facts: Facts) -> Finding:
    """Return the folders of the course that cannot be written to."""
    locked = [f"{name} ({why})" for name, why in facts.folders.items() if why]
    if not locked:
        return Finding("folders", "ok", f"{', '.join(facts.folders)} can be written")
    fix = "Give yourself the right to write there, or clone the course into a folder of your own."
    return Finding("folders", "problem", f"cannot write to {', '.join(locked)}", fix)


def loopback(facts: Facts) -> Finding:
    """Return whether a server on this machine can be reached."""
    if not facts.loopback_error:
        return Finding("ports", "ok", "a server on 127.0.0.1 can be reached")
    fix = (
        "Allow programs to listen on 127.0.0.1 (firewall, sandbox) and give the loopback interface that address, "
        "where all else is IPv6 too: kernels and JupyterLab are spoken to through it."
    )
    return Finding("ports", "problem", f"no server on 127.0.0.1: {facts.loopback_error}", fix)


def browser(facts: Facts) -> Finding:
    """Return which browser Python would open."""
    if facts.browser:
        return Finding("browser", "ok", facts.browser)
    fix = "Copy the address that `make lab` prints into a browser on this machine."
    return Finding("browser", "warning", "none that Python could open", fix)
