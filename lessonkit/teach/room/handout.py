"""Fit a chapter to what is handed out with it: links, numbers of exercises, and the outputs that answer a bet."""

import ast
import re
from collections.abc import Collection, Iterator, Sequence

from nbformat import NotebookNode

from lessonkit.desk.matching import names as tasks_in
from lessonkit.notebook.cells import wants_answer
from lessonkit.teach.slides.guide import begins
from lessonkit.teach.slides.prose import passages

ABSENT = " (not in this handout)"
_ELSEWHERE = " (in the course's folder)"
_LINK = re.compile(r"(?<!!)\[([^\]\n]+(?:\n[^\]\n]+)*)\]\(([^()\s]+)\)")
_HEADING = re.compile(r"^(#{1,6})[ \t]+(.+?)[ \t]*#*$", re.MULTILINE)
_EXERCISE = re.compile(rf"\bexercise (\d+)\b(?!{re.escape(ABSENT)})", re.IGNORECASE)
_BOTH = re.compile(r"(\d+ minutes) for the core, \d+ with \*Further\*")
_GOAL = re.compile(r"^- in \*Further\*.*(?:\n[ \t]+.*)*\n?", re.MULTILINE)
_FENCE = re.compile(r"^(?:```|~~~)", re.MULTILINE)
_OPEN, _CLOSED = "“‘\"'*", "”’\"'*"
_FEWEST = 3  # words of a title that can say what comes out


def headings(cells: Sequence[NotebookNode]) -> list[str]:
    """Return the headings of Markdown cells, in order and without their signs."""
    return [found[2] for cell in cells if cell.cell_type == "markdown" for found in _HEADING.finditer(cell.source)]


def exercises(notebook: NotebookNode) -> dict[str, int | None]:
    """Return exercise or question -> the number in the heading above it, None where there is none."""
    found, number = {}, None
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            for title in headings([cell]):
                said = re.match(r"Exercise (\d+)\b", title)
                number = int(said[1]) if said else None
        elif wants_answer(cell):
            for name in tasks_in(cell):
                found[name.removeprefix("ask ")] = number
    return found


def fit(notebook: NotebookNode, *, files: Collection[str], left_out: Sequence[NotebookNode]) -> None:
    """Let the text, in place, point only at what is handed out, and say plainly where something is not.

    `files`: the names of all notebooks that are handed out. `left_out`: the cells that this one has lost.
    """
    gone = _gone(notebook, left_out)
    numbers = {said[1] for title in gone if (said := re.match(r"Exercise (\d+)\b", title))}
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = _unlinked(cell.source, files, gone)
            if gone:
                cell.source = _named(cell.source, gone, numbers)
    if left_out and notebook.cells and notebook.cells[0].cell_type == "markdown":
        first = notebook.cells[0]
        first.source = _GOAL.sub("", _BOTH.sub(r"\1", first.source)) + f"\n\n{_note(notebook)}"


def _gone(notebook, left_out):
    """Return the headings that have gone, by each name that a text may use: whole, bare, up to a comma or colon."""
    there = headings(notebook.cells)
    names = []
    for title in headings(left_out):
        if title not in there:
            bare = title.removeprefix("Further: ")
            names += [title, bare, *(part for part in (re.split(r"[,:]", bare)[0],) if len(part.split()) > 2)]
    return list(dict.fromkeys(names))


def _note(notebook):
    there = [str(number) for number in dict.fromkeys(exercises(notebook).values()) if number is not None]
    listed = f"{', '.join(there[:-1])} and {there[-1]}" if len(there) > 1 else "".join(there)
    which = f" Of the exercises it has {listed}, under the numbers that they have in the course." if there else ""
    return (
        f"**This handout** has the core of the chapter.{which}\nWhere the text speaks of *Further*, that part "
        "is not in this handout."
    )


def _unlinked(source, files, gone):
    anchors = {_anchor(title) for title in gone}

    def plain(found):
        label, target = found.groups()
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z][a-z0-9+.-]*:|//", target, re.IGNORECASE) or path in files:
            return found[0]
        if not path:
            return f"{label}{ABSENT}" if anchor in anchors else found[0]
        return label + (ABSENT if path.endswith(".ipynb") else _ELSEWHERE)

    return _outside_code(source, lambda text: _LINK.sub(plain, text))


def _anchor(title):
    """Return what JupyterLab calls a heading's anchor."""
    return re.sub(r"[*_`]", "", title).replace(" ", "-")


def _named(source, gone, numbers):
    """Return a text in which each mention of a part that is gone says so."""
    titles = sorted((re.escape(title) for title in gone if len(title.split()) > 1), key=len, reverse=True)
    named = rf"[{_OPEN}](?:{'|'.join(titles)})[{_CLOSED}](?!{re.escape(ABSENT)})"
    quoted = re.compile(named, re.IGNORECASE) if titles else None

    def mended(text):
        lines = text.split("\n")
        for number, line in enumerate(lines):
            if not _HEADING.match(line):
                line = _EXERCISE.sub(lambda found: found[0] + (ABSENT if found[1] in numbers else ""), line)
                lines[number] = quoted.sub(lambda found: found[0] + ABSENT, line) if quoted else line
        return "\n".join(lines)

    return _outside_code(source, mended)


def _outside_code(source, change):
    """Return Markdown with `change` made to all of it but blocks of code."""
    lines, within = [[]], False
    for line in source.split("\n"):
        fence = bool(_FENCE.match(line))
        if fence and not within:
            lines.append([])
        lines[-1].append(line)
        if fence and within:
            lines.append([])
        within ^= fence
    parts = ["\n".join(part) for part in lines if part]
    return "\n".join(part if _FENCE.match(part) else change(part) for part in parts)


def below_bets(notebook: NotebookNode) -> Iterator[tuple[int, NotebookNode]]:
    """Yield the code cells whose output answers a question that the text above asks, with their numbers from 1.

    The last passage of the Markdown above asks it, as it does for a bet of `course slides`. All code up to the next
    Markdown may answer.
    """
    asked = False
    for number, cell in enumerate(notebook.cells, start=1):
        if cell.cell_type == "markdown":
            try:
                found = passages(cell.source)
            except ValueError:  # a formula in TeX, which slides refuse and a handout does not
                found = []
            asked = bool(found) and any(piece.asks() for piece in found[-1].pieces)
        elif cell.cell_type == "code" and asked and not wants_answer(cell):
            yield number, cell


def clear_bets(notebook: NotebookNode) -> int:
    """Remove, in place, the outputs that answer a bet; return of how many cells."""
    found = [cell for _, cell in below_bets(notebook) if cell.outputs]
    for cell in found:
        cell.outputs = []
    return len(found)


def telling(notebook: NotebookNode, bets: Sequence[str] | None = None) -> Iterator[str]:
    """Yield a sentence for each title and assert in the code below a bet, which may say what comes out.

    `bets`: the headings under which the room bets; unless given, every question of the text is a bet.
    """
    under = "" if bets is None else None
    places = []
    for cell in notebook.cells:
        for title in headings([cell]):
            under = title if bets is None or begins(title, bets) else None
        places.append(under)
    for number, cell in below_bets(notebook):
        if places[number - 1] is None:
            continue
        try:
            tree = ast.parse(cell.source)
        except (SyntaxError, ValueError):  # magics
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Assert):
                text = ast.get_source_segment(cell.source, node) or "assert"
                yield f"cell {number} asserts what comes out below a bet: {_one_line(text)}"
            elif isinstance(node, ast.Call):
                for title in _titles(node):
                    if len(re.sub(r"\{[^{}]*\}", " ", title).split()) >= _FEWEST:
                        yield f"cell {number} has a title that may answer the bet above it: {_one_line(title)}"


def _titles(call):
    """Return the texts that a call sets as titles: `title=…`, `set_title(…)`, `suptitle(…)`."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    given = [word.value for word in call.keywords if word.arg in ("title", "suptitle")]
    given += call.args[:1] if name in ("set_title", "title", "suptitle") else []
    return [text for node in given if (text := _literal(node))]


def _literal(node):
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return ""


def _one_line(text):
    text = " ".join(text.split())
    return f"“{text if len(text) <= 90 else text[:90] + '…'}”"


def still_named(notebook: NotebookNode, left_out: Sequence[NotebookNode]) -> Iterator[str]:
    """Yield a sentence for each line of code that names a part which was left out: code is not rewritten."""
    gone = [re.escape(title) for title in _gone(notebook, left_out) if len(title.split()) > 1]
    named = re.compile(rf"[{_OPEN}]({'|'.join(gone)})[{_CLOSED}]", re.IGNORECASE) if gone else None
    for number, cell in enumerate(notebook.cells, start=1):
        for line in cell.source.splitlines() if cell.cell_type == "code" and named else ():
            if found := named.search(line):
                yield f"cell {number} names “{found[1]}”, which is not in this handout: {_one_line(line)}"
