"""The instructor's guide, docs/teaching.md: what it says of each chapter is so, and the minutes are advice."""

import re
from importlib import import_module

import nbformat
from nbformat.v4 import new_notebook

from course_utils import PROJECT
from lessonkit.notebook.cells import keep_core, tags
from lessonkit.notebook.reading_time import OF_AN_EXERCISE, of_sections
from lessonkit.notebook.tags import EXERCISE
from lessonkit.review.diagnostics import at, error, warning

GUIDE = PROJECT / "docs" / "teaching.md"
ROOM, HALF = 50, 25  # minutes of work between two breaks, and half of them
LEAST_SAVED = 2  # minutes, by what is left out when it is late
MOST_WORDS, MOST_LINES = 2700, 25  # of the guide, and of the mail in it
KINDS = ("Say", "Bet", "Mistake", "Half-time", "Late", "Home")


def findings(chapters):
    """Yield what is wrong with the entries of the chapters, and what is long in the whole guide."""
    text = GUIDE.read_text(encoding="utf-8")
    for chapter in chapters:
        nb = nbformat.read(chapter.path, 4)
        keep_core(nb)
        name = chapter.name.replace("_", " ", 1)
        yield from at(f"docs/teaching.md, {name}", check(text, name, nb=nb))
    yield from at("docs/teaching.md", size(text))


def size(text):
    """Advice on how long the guide and the mail in it are."""
    words = len(re.findall(r"[A-Za-z][\w'’.:/-]*", text))
    if words >= MOST_WORDS:
        yield warning(f"{words} words, which are more than a quarter of an hour: expected fewer than {MOST_WORDS}")
    lines = mail(text).splitlines()
    if len(lines) > MOST_LINES:
        yield warning(f"the mail has {len(lines)} lines, expected at most {MOST_LINES}")


def mail(text):
    """The mail that asks the learners to prepare."""
    return re.search(r"^```text\nSubject.*?^```$", text, re.M | re.S).group()


def part(text, heading):
    """What stands below a heading, up to the next one of its rank or above; None where there is no such heading."""
    rank = heading.partition(" ")[0]
    found = re.search(rf"^{re.escape(heading)}$\n(.*?)(?=^#{{1,{len(rank)}}} |\Z)", text, re.M | re.S)
    return found and found.group(1)


def check(text, name, *, nb):
    """Yield what is wrong with the entry of the chapter "NN slug", whose core is `nb`."""
    entry = part(part(text, "## Chapter by chapter") or "", f"### {name}")
    if entry is None:
        yield error("the guide has no entry for this chapter")
        return
    pieces = re.split(rf"\*\*({'|'.join(KINDS)}):?\*\*", entry)
    said = dict(zip(pieces[1::2], (piece.strip(" \n:-") for piece in pieces[2::2]), strict=True))
    if tuple(said) != KINDS:
        yield error(f"the entry has {', '.join(said)}; expected {', '.join(KINDS)}")
        return
    core = of_sections(nb)
    places = {kind: [] for kind in KINDS}
    for kind, words in said.items():
        for heading in re.findall(r"“([^”]+)”", words):
            found = [number for number, (full, _) in enumerate(core) if full.startswith(heading)]
            if len(found) != 1:
                yield error(f"“{heading}” begins {len(found)} headings of the core, expected one")
                return
            places[kind] += found
    if not places["Bet"] or len(places["Half-time"]) != 1 or not places["Late"]:
        yield error("expected a heading of the core under Bet and Late, and exactly one under Half-time")
        return
    yield from facts(said, places, nb=nb)
    yield from advice(said, places, core=core)


def facts(said, places, *, nb):
    """Yield each contradiction: a bet without a question or at home, a mistake that no check knows."""
    bet, home, late = places["Bet"][0], set(places["Home"]), set(places["Late"])
    if bet in home | late:
        yield error("the bet is done at home or left out when it is late, expected in the room")
    if "?" not in said["Bet"]:
        yield error("the bet is no question")
    if late & home:
        yield error("what is left out when it is late is at home already")
    names = re.findall(r"`(\w+)`", said["Mistake"])[:2]
    found = [
        cell for cell in nb.cells if EXERCISE in tags(cell) and names and f"ex.{names[0]}.check(" in cell.source
    ]
    if len(names) < 2 or len(found) != 1:
        yield error("Mistake names no exercise of the core and a mistake of it, each between backticks")
        return
    before = nb.cells[: nb.cells.index(found[0])]
    if len(of_sections(new_notebook(cells=before))) - 1 in home:
        yield error(f"the exercise {names[0]} is done at home, so its mistake is not made in the room")
    imports = "".join(cell.source for cell in nb.cells if cell.cell_type == "code")
    slug = re.search(r"course_utils\.exercises import (\w+) as ex", imports)[1]
    question = getattr(import_module(f"course_utils.exercises.{slug}"), names[0])
    if names[1] not in {known.__name__ for known in question.mistakes}:
        yield error(f"{names[1]} is no known mistake of {names[0]}")


def advice(said, places, *, core):
    """Yield advice on minutes in the room, on what is said first, and on how many sections are named."""
    if (count := len(re.findall(r"[.?!](?:\s|$)", said["Say"]))) != 2:
        yield warning(f"{count} sentences to say first, expected two")
    if (count := sum(map(len, places.values()))) < 5:
        yield warning(f"{count} sections of the core are named, expected at least five")
    each, mark = list(in_the_room(places, core)), places["Half-time"][0]
    if not 40 < sum(each) < ROOM:
        yield warning(f"{sum(each):.1f} minutes in the room by the formula, expected 40 to {ROOM}")
    gone = sum(each[:mark])
    if not each[mark] or not gone - 2 <= HALF <= gone + each[mark] + 2:
        yield warning(f"half-time is marked after {gone:.1f} minutes by the formula, expected about {HALF}")
    if (saved := sum(core[number][1] for number in set(places["Late"]))) < LEAST_SAVED:
        yield warning(f"what is left out when it is late saves {saved:.1f} minutes by the formula")


def in_the_room(places, core):
    """Minutes of each section of the core, as the guide reckons them: 0 for what is done at home."""
    # The title, of which the two sentences are said, and what to take along are read at home.
    home = {0, len(core) - 1, *places["Home"]}
    for number, (heading, each) in enumerate(core):
        own = re.search(r"\((\d+) min\b[^)]*★", heading)
        longer = int(own.group(1)) * (0.5 - OF_AN_EXERCISE) if own else 0
        yield 0 if number in home else each + longer + (3 if number == places["Bet"][0] else 0)
