"""Say whose each file of a hand-in is and of which chapter, from the paths that platforms and people give them.

One path alone cannot tell a learner's folder from the one that somebody made around all of them, so the paths of
a hand-in are looked at together.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from lessonkit.notebook.catalog import Chapter
from lessonkit.teach.room import platforms
from lessonkit.teach.room.file_types import is_notebook, stem_of
from lessonkit.teach.room.folders_of_people import FoldersOfPeople, Unclaimed
from lessonkit.teach.room.names import composed, key, last_name_last, without_noise
from lessonkit.teach.room.unpack import is_archive

_DRIVE = re.compile(r"-\d{8}T\d{6}Z(?:-\d+)?-\d{3}$")  # Google's, behind the name of a folder that is downloaded
_DATE = re.compile(
    r"(?<!\d)(20\d\d)[-_.]?([01]\d)[-_.]?([0-3]\d)(?:[-_ T]?([0-2]\d)[-_.:]?([0-5]\d)[-_.:]?([0-5]\d)?)?(?!\d)"
)
_NOBODY = {
    "readme",
    "license",
    "licence",
    "requirements",
    "environment",
    "index",
    "metadata",
    "changelog",
    "contributing",
}


@dataclass(frozen=True)
class Whose:
    """Whose one file is, by its path. `name`: as it was found, empty for nobody's.

    `number`, `login`: a platform's; `chapter`: its name where the path says it; `unit`: the folder in which the
    name stands; `date` and `version`: of this hand-in, where the path says it; `again`: the number of a copy, 2 of
    `start-2` and `start (2)`; `raw`: the part of the path that has the name, as it is written; `in_file`: what the
    file's name says besides the chapter, perhaps the names of those who worked together.
    """

    name: str = ""
    number: str = ""
    login: str = ""
    platform: str = ""
    personal: bool = True
    chapter: str = ""
    stem: str = ""
    unit: str = ""
    date: str = ""
    version: int = 0
    again: int = 0
    raw: str = ""
    in_file: str = ""


def whose_all(
    paths: Sequence[PurePosixPath],
    chapters: Sequence[Chapter],
    *,
    folders: Sequence[bool] = (),
    submitters: Mapping[str, str] | None = None,
    is_person: Callable[[str], bool] = lambda name: False,
    told: list[str] | None = None,
    called: str = "",
) -> list[Whose]:
    """Return for each path of one hand-in whose it is. `folders`: which of them are folders without a file.

    `submitters`: names for Gradescope's numbers, from its own file; `is_person`: whether a name is known to be a
    person's, by a roster; `told`: takes a sentence for each folder that was taken to be nobody's; `called`: the
    name of the archive or folder that holds them all.
    """
    folders = folders or [False] * len(paths)
    found: list[Whose] = []
    waiting: list[Unclaimed] = []
    logins = [
        m[1]["task"] + "_" + m[1]["login"] for path in paths for m in _forms(path) if m[0].platform == "Blackboard"
    ]
    task = platforms.common_task(logins) if len(set(logins)) > 1 else ""
    for place, (path, folder) in enumerate(zip(paths, folders, strict=True)):
        one, rest = _by_platform(path, task, submitters or {})
        parts = path.parts if folder else path.parts[:-1]
        file = "" if folder else (rest or path.name)
        one = replace(one, **_of_file(file, parts, chapters, path))
        found.append(one)
        if not one.name:
            waiting.append(_open(place, file, parts, chapters, one))
    named = FoldersOfPeople(is_person, key(without_noise(_DRIVE.sub("", stem_of(called)))))
    named.descend(waiting, 0)
    if told is not None:
        told += [
            f"The folder {folder!r} was taken for nobody's, but for the one around those of "
            f"{', '.join(names[:6])}{f' and {len(names) - 6} more' if len(names) > 6 else ''}"
            for folder, names in named.around.items()
        ]
    for place, (name, unit, raw) in named.found.items():
        found[place] = replace(found[place], name=name, unit=unit, raw=raw)
    return found


def _forms(path: PurePosixPath) -> list[tuple[platforms.Form, re.Match[str]]]:
    above = ("", *path.parts)
    return [
        form
        for part, over in zip(path.parts, above, strict=False)
        if (form := platforms.form_of(_bare(part), over))
    ]


def _bare(part: str) -> str:
    """Return a part of a path as it was named by a platform: composed, and an archive's without its ending."""
    return composed(stem_of(part) if is_archive(part) else part)


def _by_platform(path: PurePosixPath, task: str, submitters: Mapping[str, str]) -> tuple[Whose, str]:
    """Return whose a path is by the first part of a platform's form, and what of a file's name is the file's."""
    for number, part in enumerate(path.parts):
        form = platforms.form_of(_bare(part), path.parts[number - 1] if number else "")
        if form is None:
            continue
        kind, groups = form[0], {name: text or "" for name, text in form[1].groupdict().items()}
        rest, is_file = groups.get("rest", ""), number == len(path.parts) - 1
        if kind.platform == "Canvas" and not is_file and not is_archive(part):
            continue  # Canvas gives files and no folders
        login = groups.get("login", "")
        if kind.platform == "Blackboard" and task and f"{groups['task']}_{login}".startswith(task):
            login = f"{groups['task']}_{login}"[len(task) :] or login
        if kind is platforms.ILIAS:
            name = f"{groups['first']} {groups['last']}"
        elif kind.platform == "Gradescope":
            name = submitters.get(groups["number"], groups["name"])
        else:
            name = last_name_last(groups.get("name") or login)
        name = (
            name.replace("_", " ").strip()
            if kind.platform != "Gradescope" or groups["number"] in submitters
            else name
        )
        whose = Whose(
            name=name,
            number="" if kind.platform == "Gradescope" else groups.get("number", ""),
            login=login,
            platform=kind.platform,
            personal=kind.personal,
            unit=PurePosixPath(*path.parts[:number]).as_posix() if number else "",
            date=_date(groups.get("date", "")),
            raw=part,
        )
        return whose, rest if is_file else ""
    return Whose(), ""


def _of_file(
    file: str, parts: Sequence[str], chapters: Sequence[Chapter], path: PurePosixPath
) -> dict[str, object]:
    """Return what a file's name and its folders say of its chapter, and of when it was handed in."""
    stem = composed(stem_of(file)) if file else ""
    chapter, in_file = _chapter_in(stem, chapters)
    in_file = without_noise(in_file)
    if chapter is None:
        named = [one for part in parts for one in chapters if one.name == part]
        chapter = named[0] if named else None
    versions = [int(m["number"]) for part in parts if (m := platforms.TEAMS_VERSION.match(part))]
    again = re.search(r"\((\d{1,3})\)\s*$|-(\d{1,2})\s*$|[-_ ]copy(\d{1,2})$", stem, re.IGNORECASE)
    more = {"version": versions[-1] if versions else 0, "in_file": in_file}
    more["again"] = int(next(filter(None, again.groups()))) if again else 0
    if date := next(filter(None, (_date(part) for part in reversed((*parts, stem)))), ""):
        more["date"] = date
    return more | {"chapter": chapter.name if chapter else "", "stem": chapter.name if chapter else stem}


def _date(text: str) -> str:
    """Return the date in a text as `2026-11-20 10:11:12`, empty for none that there is."""
    if found := _DATE.search(text):
        year, month, day, hour, minute, second = found.groups(default="00")
        if 1 <= int(month) <= 12 and 1 <= int(day) <= 31 and int(hour) < 24:
            return f"{year}-{month}-{day} {hour}:{minute}:{second}"
    months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    found = re.search(r"([a-z]{3})[a-z]*\.? (\d{1,2}),? (20\d\d) (\d{1,2})[:.]?(\d\d) ?([ap])?", text.lower())
    if found and found[1] in months:
        hour = int(found[4]) % 12 + 12 * (found[6] == "p") if found[6] else int(found[4])
        return f"{found[3]}-{months.index(found[1]) + 1:02}-{int(found[2]):02} {hour:02}:{found[5]}:00"
    return ""


def _chapter_in(stem: str, chapters: Sequence[Chapter]) -> tuple[Chapter | None, str]:
    """Return the chapter that a file's name holds, however its words are joined, and the name without it."""
    forms = [(chapter, r"[\W_]*".join(map(re.escape, chapter.slug.split("_")))) for chapter in chapters]
    patterns = [(chapter, rf"(?<!\d)0*{chapter.number}[\W_]*{words}(?![^\W\d_])") for chapter, words in forms]
    # Without its number, a chapter is known by a name of several words; one word, such as `text`, may be anything.
    patterns += [(one, rf"(?<![^\W_]){words}(?![^\W\d_])") for one, words in forms if "_" in one.slug]
    for chapter, pattern in patterns:
        if found := re.search(pattern, stem, re.IGNORECASE):
            behind = re.sub(r"^(?:-\d{1,2}|[-_ ]copy\d*)(?=$|\W)", "", stem[found.end() :], flags=re.IGNORECASE)
            return chapter, f"{stem[: found.start()]} {behind}".strip()
    return None, stem


def _may_be_name(text: str) -> bool:
    """Return whether a text can be somebody's: it has a letter, or is a number that is long enough."""
    return bool(re.search(r"[^\W\d_]|\d{4}", text))


def _open(place: int, file: str, parts: Sequence[str], chapters: Sequence[Chapter], one: Whose) -> Unclaimed:
    names = {chapter.name for chapter in chapters}
    folders, above, raw = [], [], []
    for number, part in enumerate(parts):
        bare = _bare(part)
        drive = _DRIVE.search(bare)
        plain = re.sub(r"\s*\(\d+\)$", "", _DRIVE.sub("", bare)).strip()
        said = without_noise(plain)
        above_it = parts[number - 1] if number else ""
        if above_it.lower().endswith("-submissions"):  # GitHub Classroom's folder of `ASSIGNMENT-USER`
            said = said.removeprefix(above_it[: -len("submissions")])
        nobodys = (
            not _may_be_name(said)
            or bare in names
            or drive
            or platforms.CONTAINERS.match(plain)
            or platforms.INNER.match(plain)
        )
        if not nobodys:
            if folders and key(said) == key(folders[-1]):  # an archive holds a folder that is called as it is
                continue
            folders.append(said)
            raw.append(part)
            above.append(PurePosixPath(*parts[:number]).as_posix() if number else "")
    stem = composed(stem_of(file)) if file else ""
    chapter, rest = _chapter_in(stem, chapters)
    in_name = without_noise(rest)
    if (chapter is None and in_name.lower() in _NOBODY) or not _may_be_name(in_name):
        in_name = ""  # of `start (1)`, no name is left
    return Unclaimed(
        place,
        folders,
        in_name,
        bool(file) and is_notebook(file),
        chapter.name if chapter else one.chapter,
        above,
        raw,
    )
