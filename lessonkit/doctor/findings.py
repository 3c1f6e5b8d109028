"""Judge each fact about a machine, and say how to fix each problem."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TypeVar

from lessonkit.doctor.facts import EDITION, Facts, gather
from lessonkit.doctor.forecast import speed
from lessonkit.system.finding import Finding

One = TypeVar("One", bound=tuple)  # a finding, or a line of the mail
GIB = 1 << 30  # bytes
SLOW = 0.5  # seconds of compiling in each process from which it is worth a warning
YEARS = 10  # after which a clock is rather wrong than late


def examine(facts: Facts | None = None) -> list[Finding]:
    """Return every finding about this machine, or about the one that `facts` describes; the course's among them."""
    facts = gather() if facts is None else facts
    checks = [python, packages, progress, bytecode, speed, memory, shared_memory, disk, folders, loopback]
    checks += [path, text, home, clock, proxy, browser]
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
    return Finding("Python", "problem", f"{found}; the course runs on 3.11 to 3.13", fix)


def packages(facts: Facts) -> Finding:
    """Return whether every package that the course asks for is installed."""
    if not facts.missing:
        return Finding("packages", "ok", "all that the course needs are installed")
    some = ", ".join(facts.missing[:6]) + (" and others" if len(facts.missing) > 6 else "")
    fix = "Run `make setup` in the course's folder, or what README.md says for a system without make."
    return Finding("packages", "problem", f"missing: {some}", fix)


def progress(facts: Facts) -> Finding | None:
    """Return that no check is noted, as where the engine is imported from a clone that was never installed."""
    if facts.listens:
        return None
    fix = "Run `make setup` in the course's folder, or what README.md says for a system without make."
    found = "checks work, but progress is not noted, because this Python has no installed package that notes it"
    return Finding("progress", "warning", found, fix)


def bytecode(facts: Facts) -> Finding:
    """Return whether Python keeps what it compiles; where it does not, what that costs each new process."""
    missing, imported, seconds = facts.uncompiled
    if seconds < SLOW:
        return Finding("bytecode", "ok", "kept, so that a new process compiles next to nothing")
    found = (
        f"missing for {missing} of {imported} imported modules: each new process, and so each kernel, compiles "
        f"them again, which takes about {seconds:.1f} s here"
    )
    fix = (
        "Run `make setup` again, or what README.md says for a system without make, to compile the packages in "
        ".venv; for another environment run `python -m compileall -q` with the folder of its packages."
    )
    return Finding("bytecode", "warning", found, fix)


def folders(facts: Facts) -> Finding:
    """Return the folders of the course that cannot be written to."""
    locked = [f"{name} ({why})" for name, why in facts.folders.items() if why]
    if not locked:
        return Finding("folders", "ok", f"{', '.join(facts.folders)} can be written")
    fix = "Get permission to write there, or clone the course into a folder of your own."
    return Finding("folders", "problem", f"cannot write to {', '.join(locked)}", fix)


def loopback(facts: Facts) -> Finding:
    """Return whether a server on this machine can be reached."""
    if not facts.loopback_error:
        return Finding("ports", "ok", "a server on 127.0.0.1 can be reached")
    fix = (
        "Allow programs to listen on 127.0.0.1 (firewall, sandbox), and give the loopback interface that address, "
        "even if everything else uses IPv6: kernels and JupyterLab communicate through it."
    )
    return Finding("ports", "problem", f"no server on 127.0.0.1: {facts.loopback_error}", fix)


def browser(facts: Facts) -> Finding:
    """Return which browser Python would open."""
    if facts.browser:
        return Finding("browser", "ok", facts.browser)
    fix = "Copy the address that `make lab` prints into a browser on this machine."
    return Finding("browser", "warning", "none that Python could open", fix)


def memory(facts: Facts) -> Finding:
    """Return whether enough main memory is free: 3 GiB, and at least 1."""
    fix = "Close other programs, or give the container or virtual machine more memory: 3 GiB free are enough."
    return enough("memory", facts.memory_free, few=3 * GIB, least=GIB, fix=fix)


def shared_memory(facts: Facts) -> Finding:
    """Return whether enough of /dev/shm is free for the workers of a DataLoader: 256 MiB, and at least 16."""
    if facts.shared_memory_free is None:
        return Finding("/dev/shm", "ok", f"not used on {facts.system}")
    fix = "Start the container with `--shm-size=1g`, or set `num_workers=0` if a DataLoader ends with a bus error."
    return enough("/dev/shm", facts.shared_memory_free, few=GIB // 4, least=GIB // 64, fix=fix)


def disk(facts: Facts) -> Finding:
    """Return whether enough of the disk is free: 2 GiB, and at least a quarter."""
    fix = "Free some space on the disk of the course: data, results and recorded runs need 2 GiB."
    return enough("disk", facts.disk_free, few=2 * GIB, least=GIB // 4, fix=fix)


def enough(name: str, free: int, *, few: int, least: int, fix: str) -> Finding:
    """Return a problem where less than `least` bytes are free, a warning where less than `few` are."""
    found = f"{free / GIB:.1f} GiB free" if free >= GIB else f"{free / (1 << 20):.0f} MiB free"
    state = "problem" if free < least else "warning" if free < few else "ok"
    return Finding(name, state, found, "" if state == "ok" else fix)


def path(facts: Facts) -> Finding:
    """Return whether the course's path is odd, and whether names there differ by case; every chapter runs there."""
    odd = f"{' and '.join(facts.path)} in its path; everything runs, but in a terminal put the path in quotes"
    case = "" if facts.case_counts else "; names that differ only in case are one there, and everything runs"
    return Finding("course folder", "ok", (odd if facts.path else "nothing odd in its path") + case)


def text(facts: Facts) -> Finding:
    """Return in which letters Python writes a file or a terminal's line that names no encoding."""
    if facts.encoding != "ascii":
        return Finding("text", "ok", f"written as {facts.encoding} unless a program names another encoding")
    fix = "Unset PYTHONUTF8 or set it to 1; otherwise a file with other letters in its name cannot be opened."
    return Finding("text", "warning", "letters beyond ASCII cannot be written (the locale is C or POSIX)", fix)


def home(facts: Facts) -> Finding:
    """Return whether programs can keep their settings in this user's home."""
    if not facts.home_error:
        return Finding("home", "ok", "can be written")
    fix = (
        "Set HOME to a folder of your own; until then `course lab` keeps its settings in the work folder, and "
        "matplotlib and IPython in temporary ones."
    )
    return Finding("home", "warning", f"nothing can be kept there: {facts.home_error}", fix)


def clock(facts: Facts) -> Finding:
    """Return the time here, and whether it is one at which servers' certificates hold."""
    found = f"{facts.now:%Y-%m-%d %H:%M}, UTC{facts.now:%z}"
    if EDITION <= facts.now < EDITION.replace(year=EDITION.year + YEARS):
        return Finding("clock", "ok", found)
    fix = (
        "Set the clock if it is wrong: with a wrong date, servers' certificates look expired and downloads fail, "
        "but chapters run."
    )
    return Finding("clock", "warning", f"{found}; this edition of the course is from {EDITION.year}", fix)


def proxy(facts: Facts) -> Finding:
    """Return whether data can be fetched through the proxy that is set, if one is."""
    if not facts.proxy:
        return Finding("proxy", "ok", "none is set")
    if facts.proxy_error is None:
        return Finding("proxy", "ok", f"set for {facts.proxy}; no server was asked")
    if not facts.proxy_error:
        return Finding("proxy", "ok", f"set for {facts.proxy}; a server of data answers")
    fix = (
        "Correct HTTP_PROXY and HTTPS_PROXY, or log in where the proxy asks for it; until then chapters run on the "
        "samples that came with the course."
    )
    return Finding("proxy", "warning", f"set for {facts.proxy}; {facts.proxy_error}", fix)
