"""The forms in which learning platforms and shared drives hand out what was handed in, each as a pattern."""

import re
from dataclasses import dataclass

_MONTH = r"[^\W\d_]{3,12}\.?"


@dataclass(frozen=True)
class Form:
    """One form of a folder's or file's name. `pattern`: groups `name`, perhaps `number`, `login`, `date`, `rest`.

    `personal`: whether its number is a person's everywhere; Moodle's is another one for each assignment.
    """

    platform: str
    pattern: re.Pattern[str]
    personal: bool = True


def _form(platform: str, pattern: str, *, personal: bool = True) -> Form:
    return Form(platform, re.compile(pattern, re.IGNORECASE), personal)


FORMS = (
    _form(
        "Moodle",
        r"(?P<name>.+?)_(?P<number>\d+)_assignsubmission_(?:file|onlinetext|[a-z]+)_?(?:_?(?P<rest>.+))?$",
        personal=False,
    ),
    _form("Moodle", r"(?P<name>.+?)_(?P<number>\d+)_assignment_(?P<rest>.*)$", personal=False),
    _form(
        "Blackboard",
        r"(?P<task>.+)_(?P<login>[^_]+)_attempt_(?P<date>\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d)(?:_(?P<rest>.+)|\.txt)?$",
    ),
    _form(
        "Brightspace",
        r"(?P<number>\d+)-\d+\s*-?\s+(?P<name>[^\d]+?)\s*-\s*"
        rf"(?P<date>(?:{_MONTH}\s+\d{{1,2}}|\d{{1,2}}\.?\s+(?:de\s+)?{_MONTH}),?\s+(?:de\s+)?\d{{4}}\s+\d{{1,2}}[:.]?\d\d\s*(?:[AP]\.?M\.?)?)"
        r"(?:\s*-\s*(?P<rest>.+))?$",
    ),
    _form("Canvas", r"(?P<name>[^_]+)(?:_LATE)?_(?P<number>\d{3,})_\d{3,}_(?P<rest>.+)$"),
    _form("Canvas", r"(?P<name>[^_]+)(?:_LATE)?_(?P<number>\d+)_text\.html?$"),
    _form("Sakai", r"(?P<name>[^,()]+,\s*[^,()]+?)\s*\((?P<login>[^()]{2,})\)$"),
    _form("Gradescope", r"(?P<name>submission_(?P<number>\d+))$"),
)
# ILIAS' folder is like any other with three underscores; it counts below a folder that ILIAS makes.
ILIAS = _form("ILIAS", r"(?P<last>[^_]+)_(?P<first>[^_]+)_(?P<login>[^_]+)_(?P<number>\d{2,})$")
_ILIAS_ABOVE = re.compile(r"(abgaben|submissions?|einreichungen|abgabe)", re.IGNORECASE)
TEAMS_VERSION = re.compile(r"(?:version|versión|versione|versão|версия)\s*(?P<number>\d+)$", re.IGNORECASE)
# Folders that platforms and people make around learners' folders, and in them: nobody is called so.
_AROUND = r"""submissions?|submitted|submitted files|working files|eingereichte dateien|arbeitsdateien
fichiers envoy[ée]s
abgaben?|einreichungen
handed[ _-]?in|hand-?ins?|uploads?|downloads?|files|dateien|inbox|in|assignments?|aufgaben
submission attachment\(s\)|feedback attachment\(s\)|students?|learners?|class|klasse|kurs|course|room|share|archive?
assignment_\d+_export|hausaufgaben|hausaufgabenordner|drop-?box|drop-?boxes|alle|all|entregas|rendus?|devoirs?
.*\(file responses\)
(?:hw|homework|assignment|lab|week|exercise|uebung|übung|aufgabe|blatt|hausaufgabe|task|tag|day|woche)[ _-]?\d+"""
_BEHIND = r"(?:[ _-]*(?:submissions?|abgaben?|\d{4}|download|export|\(\d+\)|final|main|master))*"
_WITHIN = r"""work|works|workspaces?|notebooks?|src|code|my[ _-]?work|solutions?
l[oö]sung|l[oö]sungen|answers?|old|new
alt|neu|backup|attempt[ _-]?\d+|versuch[ _-]?\d+|version[ _-]?\d+|v\d+|final
colab[ _-]notebooks|jupyter|home|desktop
documents|chapters?|kapitel|untitled[ _]folder.*|neuer[ _]ordner.*|new[ _]folder.*|data|images|img|figures?|pics?
part[ _-]?\d+"""
CONTAINERS = re.compile(
    rf"(?:(?:all|alle|my|meine)[ _-]+)?(?:{_AROUND.replace(chr(10), '|')}){_BEHIND}$", re.IGNORECASE
)
INNER = re.compile(rf"(?:{_WITHIN.replace(chr(10), '|')})$", re.IGNORECASE)
# Files that a platform writes beside what was handed in: lists and receipts, which nobody has handed in.
OWN_FILES = re.compile(
    r"""(?:index\.html?|submission_metadata\.ya?ml|archive_filelist\.csv|timestamp\.txt|grades\.(?:csv|xlsx?)|comments\.txt
    |(?:abgaben|submissions)\.xlsx?|gradebook.*\.csv|manifest\.json|collected\.json|.+_attempt_[\d-]{19}\.txt)$""",
    re.IGNORECASE | re.VERBOSE,
)


def form_of(part: str, above: str = "") -> tuple[Form, re.Match[str]] | None:
    """Return the form of a platform that a folder's or file's name has, and its match; None for a name of no form.

    `above`: the folder above it, for ILIAS' form, which has nothing of its own.
    """
    forms = (*FORMS, ILIAS) if _ILIAS_ABOVE.search(above) else FORMS
    found = ((form, form.pattern.match(part)) for form in forms)
    return next(((form, match) for form, match in found if match), None)


def common_task(tasks: list[str]) -> str:
    """Return what the texts before `_attempt_` have in common: the name of the assignment, up to its last `_`.

    >>> common_task(["hw_1_anna_m", "hw_1_ben_o"])
    'hw_1_'
    """
    first, last = min(tasks), max(tasks)
    same = next(
        (n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(map(len, (first, last)))
    )
    return first[: first.rfind("_", 0, same) + 1]
