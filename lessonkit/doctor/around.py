"""The ground under the course, judged: odd ones on which all runs, and those on which something does not."""

from lessonkit.doctor.facts import Facts
from lessonkit.doctor.ground import EDITION
from lessonkit.system.finding import Finding

YEARS = 10  # after which a clock is rather wrong than late


def path(facts: Facts) -> Finding:
    """Return whether the course's path is odd, and whether names there differ by case; every chapter runs there."""
    odd = f"{' and '.join(facts.path)} in its path: all runs, put the path in quotes in a terminal"
    case = "" if facts.case_counts else "; `A` and `a` are one name there, and all runs"
    return Finding("course folder", "ok", (odd if facts.path else "nothing odd in its path") + case)


def text(facts: Facts) -> Finding:
    """Return in which letters Python writes a file or a terminal's line that names no encoding."""
    if facts.encoding != "ascii":
        return Finding("text", "ok", f"written as {facts.encoding} where a program names nothing else")
    fix = "Unset PYTHONUTF8 or set it to 1: without it a file with another letter in its name cannot be opened."
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
        "Set the clock if it is wrong: far from the true date servers' certificates look expired, and downloads "
        "fail; chapters run."
    )
    return Finding("clock", "warning", f"{found}; this edition of the course is of {EDITION.year}", fix)


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
