"""What rows have to say of how files were handed in, and the rows of those who handed in no notebook at all."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from lessonkit.notebook.catalog import Chapter
from lessonkit.teach.room.manifest import NOT_TAKEN, TAKEN, Item, Manifest
from lessonkit.teach.room.people import Person
from lessonkit.teach.room.roster import Entry
from lessonkit.teach.room.rows import Graded, Row, row_of, unreadable_rows
from lessonkit.teach.room.settled import Known
from lessonkit.teach.room.submission import tasks

_BY = (
    "when it was collected",
    "its version",
    "the date in its name",
    "the number in its name",
    "the time of its file",
)


def names(manifest: Manifest) -> dict[str, str]:
    """Return folder -> the learner's name as the roster or the platform has it.

    Of people with one name each is told by a number, or else by the folder.
    """
    count = Counter(person.name for person in manifest.people)
    return {
        person.folder: person.name
        if count[person.name] == 1
        else f"{person.name} ({ids(person)[0] if ids(person) else person.folder})"
        for person in manifest.people
    }


def people(manifest: Manifest) -> dict[str, list[Entry]]:
    """Return everybody in the room, by the name that they have in grades, and everybody else on the roster."""
    called, found = names(manifest), {}
    for person in manifest.people:
        more = frozenset(ids(person))  # with one of the entries: a number is one person's
        entries = [Entry(one) for one in (person.folder, *person.spellings) if one]
        found[called[person.folder]] = [Entry(person.name or person.folder, more, more), *entries]
    there = [person.entry for person in manifest.people]
    for entry in manifest.roster:
        if entry not in there:
            more = sorted(entry.numbers | entry.logins)
            found[f"{entry.name} ({more[0]})" if entry.name in found and more else entry.name] = [entry]
    return found


def ids(person: Person) -> list[str]:
    """Return the numbers and logins by which a platform knows somebody, those of the roster first."""
    of_roster = [*sorted(person.entry.numbers), *sorted(person.entry.logins)] if person.entry else []
    return [*of_roster, *(one for one in person.numbers.values() if one not in of_roster)]


def known(manifest: Manifest) -> dict[str, Known]:
    """Return for each file of the room what its row has to say of how it was handed in."""
    found, chapters, called = {}, defaultdict(list), names(manifest)
    taken = [item for item in manifest.items if item.state == TAKEN]
    together = defaultdict(set)
    for item in taken:
        chapters[item.learner, item.chapter or item.file].append(item)
        together[item.source, item.path, item.run].add(item.learner)
    with_ = defaultdict(set)
    for item in taken:  # the second of a pair may hand in the same file once more
        with_[item.file] |= together[item.source, item.path, item.run] - {item.learner}
    beside = defaultdict(list)
    for item in manifest.items:
        if item.state == NOT_TAKEN:
            beside[item.learner].append(item.path.rpartition("/")[2])
    for those in chapters.values():
        by = _what_differs(those)
        for item in those:
            others = {called.get(other, other) for other in with_[item.file]}
            remarks = [f"{item.said}."] if item.said else []
            if others:
                remarks.append(f"It was handed in together with {', '.join(sorted(others))}.")
            if files := beside[item.learner]:
                more = f" and {len(files) - 5} more" if len(files) > 5 else ""
                remarks.append(f"Handed in with it and not taken: {', '.join(files[:5])}{more}.")
            found[item.file] = Known(item.order, by, frozenset(others), tuple(remarks))
    return found


def rows(manifest: Manifest, chapters: Sequence[Chapter]) -> list[Graded]:
    """Return rows for who handed in something that could not be taken, and for who handed in nothing."""
    named = {chapter.name: chapter for chapter in chapters}
    there = {(item.learner, item.chapter) for item in manifest.items if item.state == TAKEN}
    learners = {learner for learner, _ in there}
    found = {}
    for item in manifest.items:
        lacks = item.learner not in learners or (item.chapter and (item.learner, item.chapter) not in there)
        if item.state == NOT_TAKEN and lacks:
            rows = unreadable_rows(named.get(item.chapter), item.said)
            chapter, file = item.chapter if item.chapter in named else "", f"{item.source}: {item.path}"
            found[item.learner, file] = Graded(
                learner=item.learner, file=file, sha256="", chapter=chapter, rows=rows
            )
    for name in manifest.absent:
        row = Row(exercise="", state="missing", message="Handed in nothing, and stands on the roster.")
        found[name, ""] = Graded(learner=name, file=f"roster: {name}", sha256="", chapter="", rows=(row,))
    return list(found.values())


def nothing_of(learner: str, chapter: str, chapters: Sequence[Chapter]) -> Graded:
    """Return the rows of a chapter of which somebody handed in nothing and has points by hand."""
    words = "Nothing of this chapter was handed in."
    (found,) = (one for one in chapters if one.name == chapter)
    rows = tuple(row_of(task, "missing", words) for task in tasks(found))
    flags = (f"{words} The points are by hand.",)
    return Graded(
        learner=learner,
        file=f"overrides.csv: {learner}, {chapter}",
        sha256="",
        chapter=chapter,
        rows=rows,
        flags=flags,
    )


def is_absence(one: Graded) -> bool:
    """Return whether these are the rows of somebody who is on the roster and handed in nothing."""
    return not one.chapter and not one.sha256 and all(row.state == "missing" for row in one.rows)


def _what_differs(those: Iterable[Item]) -> str:
    """Return by what the latest of a learner's hand-ins is known, in words; empty where nothing tells."""
    ordered = sorted(those, key=lambda item: item.order)
    if len(ordered) < 2:
        return ""
    pairs = zip(_BY, ordered[-2].order, ordered[-1].order, strict=True)
    differs = next((words for words, one, other in pairs if one != other), "")
    return f"by {differs}" if differs else "nothing tells which is the later one"
