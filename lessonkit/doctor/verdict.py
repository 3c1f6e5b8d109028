"""Say in one line what the findings of `course doctor` come to."""

from collections.abc import Collection, Sequence

from lessonkit.system.finding import Finding

AGAIN = "then run `course doctor` again"


def verdict(findings: Sequence[Finding], *, stops_nobody: Collection[str] = ()) -> str:
    """Return the line that `course doctor` ends in: ready or not, and the findings to look at by name.

    `stops_nobody`: the names of findings whose problem still lets everybody run the core of each chapter.

    >>> verdict([Finding("Python", "ok", "3.12"), Finding("browser", "warning", "none", "Copy the address.")])
    'Verdict: this machine is ready. 1 warning (browser) stops no chapter; the line below it says what would help.'
    """
    problems = [one.name for one in findings if one.state == "problem"]
    grave = [name for name in problems if name not in stops_nobody]
    light = [name for name in problems if name in stops_nobody]
    warnings = [one.name for one in findings if one.state == "warning"]
    if grave:
        them = "it" if len(grave) == 1 else "each of them"
        first = f"this machine is not ready. Fix {_named(grave, 'problem')} as the line below {them} says, {AGAIN}."
        later = [
            *([_named(light, "problem")] if light else []),
            *([_named(warnings, "warning")] if warnings else []),
        ]
    elif light:
        first = (
            f"this machine is ready for the core of every chapter. For the rest, fix {_named(light, 'problem')}."
        )
        later = [_named(warnings, "warning")] if warnings else []
    if problems:
        return f"Verdict: {first} {' and '.join(later)} can wait." if later else f"Verdict: {first}"
    if warnings:
        stop, them = ("stops", "it") if len(warnings) == 1 else ("stop", "each")
        return (
            f"Verdict: this machine is ready. {_named(warnings, 'warning')} {stop} no chapter; "
            f"the line below {them} says what would help."
        )
    return "Verdict: this machine is ready. Nothing was found that needs your attention."


def _named(names, kind):
    return f"{len(names)} {kind}{'' if len(names) == 1 else 's'} ({', '.join(dict.fromkeys(names))})"
