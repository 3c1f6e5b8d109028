"""Check the structure that all notebooks share, in the stored file; nbval compares what the cells compute.

A fact that is wrong (a cell without an id, an exercise without its check) is an error. What is counted (words,
lines, cells, stars) is a warning: as a test, a limit on it made people compress sentences until readers had to
decode them.
"""

import ast
import importlib.util
import re
import statistics
from collections.abc import Iterator
from pathlib import Path

from nbformat import NotebookNode
from nbformat.validator import iter_validate

from lessonkit.notebook import folds
from lessonkit.notebook.cells import code_cells, label, tags
from lessonkit.notebook.reader import Unreadable, read
from lessonkit.notebook.tags import EXERCISE, LIVE_OUTPUT, PARAMETERS, RAISES, UNCOMPARED
from lessonkit.review.diagnostics import Finding, error, warning
from lessonkit.system.course import course
from lessonkit.system.plain_file import read_plain

MOST_WORDS, MOST_LINES, MOST_MEDIAN, CELLS = 120, 25, 9, (25, 55)
MOST_PROMISES, MOST_PARAMETERS, MOST_MODULES, EXERCISES = 4, 6, 11, (3, 5)
MOST_PNG = 60 * 1024  # bytes
MACHINES_PATH = re.compile(r"(?<![\w.:/])/(?:home|Users|root|tmp|work|mnt|opt|var)/\w|[A-Z]:\\+Users")
WARNING = re.compile(r"\b\w*Warning\b")
# Kinds of output that every editor shows, and the course's own, beside which an HTML page must stand.
KINDS = {"text/plain", "text/html", "text/markdown", "image/png", "application/vnd.course.verdict+json"}


def open_valid(path: Path) -> tuple[NotebookNode | None, list[Finding]]:
    """Return the notebook and no finding, or None and the error that says why it is none."""
    try:
        book, repaired = read(read_plain(path))  # no id is added, as nbformat's own reader does
        faults = [*repaired, *(fault.message for fault in iter_validate(book, relax_add_props=False))]
        if not faults and not book.cells:
            faults = ["it has no cell"]
    except (OSError, Unreadable) as found:
        faults = [str(found)]
    if faults:
        said = faults[0].strip().splitlines()[0][:200]
        return None, [error(f"{Path(path).name} is not a notebook that nbformat accepts: {said}")]
    return book, []


def check(book: NotebookNode, followers: tuple[str, ...] = ()) -> Iterator[Finding]:
    """Yield every finding about a notebook; `followers`: file names of the chapters with the next number."""
    for rule in (opening, parameters, size, exercises, execution, outputs, lesson, portable):
        yield from rule(book)
    yield from footer(book, followers)


def opening(book: NotebookNode) -> Iterator[Finding]:
    """Yield what is wrong with the title cell: its number and claim, minutes, aims, and what it builds on."""
    title = book.cells[0].source
    if not re.match(r"# \d\d · \S", title):
        yield error("the first cell does not start with `# NN · ` and a claim")
    if not re.search(r"\b\d+ minutes\b", title):
        yield error("the first cell does not say how many minutes the chapter takes")
    for words in ("By the end you can", "Builds on"):
        if words.lower() not in title.lower():
            yield error(f"the first cell has no “{words}”")
    promises = len(re.findall(r"^- ", title, re.MULTILINE))
    if not promises:
        yield error("the first cell promises nothing: list what the reader can do by the end")
    if promises > MOST_PROMISES:
        yield warning(f"the first cell promises {promises} things, expected at most {MOST_PROMISES}")


def parameters(book: NotebookNode) -> Iterator[Finding]:
    """Yield what is wrong with the cell that the runner sets: exactly one, with PROFILE, SEED and DEVICE."""
    cells = [cell for cell in code_cells(book) if PARAMETERS in tags(cell)]
    if len(cells) != 1:
        yield error(f"{len(cells)} cells tagged `parameters`, expected one")
        return
    try:
        body = ast.parse(cells[0].source).body
    except SyntaxError as found:
        yield error(f"the cell tagged `parameters` is no Python: {found}")
        return
    assigned = [ast.unparse(node.targets[0]) for node in body if isinstance(node, ast.Assign)]
    if not {"PROFILE", "SEED", "DEVICE"} <= set(assigned):
        yield error(f"the parameters are {assigned}; expected PROFILE, SEED and DEVICE among them")
    if len(assigned) > MOST_PARAMETERS:
        yield warning(f"{len(assigned)} parameters, expected PROFILE, SEED, DEVICE and little else")


def size(book: NotebookNode) -> Iterator[Finding]:
    """Yield advice on the number of code cells, their lines, and the words between them."""
    shown = ["" if cell.metadata.get("jupyter") else cell.source for cell in code_cells(book)]  # not what is folded
    lines = [sum(bool(line.strip()) for line in source.splitlines()) for source in shown] or [0]
    if not CELLS[0] <= len(shown) <= CELLS[1]:
        yield warning(f"{len(shown)} code cells, expected {CELLS[0]} to {CELLS[1]}")
    for number, count in enumerate(lines, 1):
        if count > MOST_LINES:
            yield warning(f"code cell {number} has {count} lines, expected at most {MOST_LINES}")
    if statistics.median(lines) > MOST_MEDIAN:
        yield warning(f"the median cell has {statistics.median(lines):g} lines, expected about six")
    for stretch in stretches(book):
        if len(stretch.split()) > MOST_WORDS:
            yield warning(f"{len(stretch.split())} words without a cell or a heading: {stretch[:60]!r}…")


def stretches(book: NotebookNode) -> Iterator[str]:
    """Yield the prose between two code cells or headings, without tables, the title cell and the last cell."""
    stretch = []
    for cell in book.cells[1:-1]:
        for line in cell.source.splitlines() if cell.cell_type == "markdown" else ["#"]:
            if line.startswith("#"):
                yield " ".join(stretch)
                stretch = []
            elif not line.startswith("|"):
                stretch.append(line)
    yield " ".join(stretch)


def exercises(book: NotebookNode) -> Iterator[Finding]:
    """Yield what is wrong with the cells tagged `exercise`: their check, minutes, stars, number and order."""
    cells = book.cells
    found = [i for i, cell in enumerate(cells) if EXERCISE in tags(cell)]
    if not found:
        yield error("no cell is tagged `exercise`")
        return
    if not EXERCISES[0] <= len(found) <= EXERCISES[1]:
        yield warning(f"{len(found)} exercises, expected {EXERCISES[0]} to {EXERCISES[1]}")
    for i in found:
        if not re.search(r"^ex\.\w+\.check\(", cells[i].source, re.MULTILINE):
            yield error(f"an exercise without its check: {cells[i].source[:60]!r}")
        if not re.search(r"\d+ min.*★", cells[i - 1].source):
            yield error(f"no minutes or stars before the exercise {cells[i].source[:60]!r}")
    stars = [max(map(len, re.findall("★+", cells[i - 1].source)), default=0) for i in found]
    if max(stars[len(stars) // 2 :]) < max(stars) or stars[-1] < stars[0]:
        yield warning(
            f"exercises of {stars} stars: the hardest not in the second half, or the last easier than the first"
        )


def execution(book: NotebookNode) -> Iterator[Finding]:
    """Yield what contradicts one run from top to bottom: counts, errors without their tag, tags without theirs."""
    counts = [cell.execution_count for cell in code_cells(book)]
    if counts != list(range(1, len(counts) + 1)):
        yield error(f"not run from top to bottom: execution counts {counts[:8]}…; run `course refresh`")
    for number, cell in enumerate(code_cells(book), 1):
        raised = any(output.output_type == "error" for output in cell.outputs)
        if raised and RAISES not in tags(cell):
            yield error(f"cell {number}: an error without the tag `raises-exception`")
        if RAISES in tags(cell) and not raised:
            yield error(f"cell {number}: tagged `raises-exception`, and nothing was raised")
        if LIVE_OUTPUT in tags(cell) and UNCOMPARED not in tags(cell):
            yield error(f"cell {number}: `live-output` goes with `nbval-ignore-output`")


def outputs(book: NotebookNode) -> Iterator[Finding]:
    """Yield what a stored output must not hold: a machine's path, a warning, a large picture."""
    for number, cell in enumerate(code_cells(book), 1):
        if MACHINES_PATH.search(cell.source):
            yield error(f"cell {number}: a path of one machine in the source")
        for output in cell.outputs:
            said = shown(output)
            if path := MACHINES_PATH.search(said):
                yield error(f"cell {number}: a path of one machine in the output: {said[path.start() :][:40]!r}")
            if found := WARNING.search(said):
                yield error(f"cell {number}: a warning in the output: {found.group()}")
            if len(output.get("data", {}).get("image/png", "")) * 3 // 4 > MOST_PNG:
                yield error(f"cell {number}: a picture over {MOST_PNG // 1024} KiB")


def shown(output: NotebookNode) -> str:
    """Return all text of one output, errors and HTML included."""
    data = [str(value) for mime, value in output.get("data", {}).items() if mime.startswith("text/")]
    traceback = "".join(output.get("traceback", []))
    return "\n".join([output.get("text", ""), *data, output.get("evalue", ""), traceback])


def lesson(book: NotebookNode) -> Iterator[Finding]:
    """Yield where code that the chapter teaches is printed by `inspect.getsource`, and advice on imports."""
    found = {module for tree in syntax_trees(book) for module in imported(tree, course().package)}
    if len(found) > MOST_MODULES:
        yield warning(
            f"{len(found)} modules of the course imported, expected at most {MOST_MODULES}: {sorted(found)}"
        )
    for tree in syntax_trees(book):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "getsource":
                name = ast.unparse(node.args[0])
                yield error(f"the source of `{name}` is printed; write it out in a cell, before it runs")


def syntax_trees(book: NotebookNode) -> Iterator[ast.Module]:
    """Yield the code cells as Python; cells in another language (`%%writefile`) and wrong ones are left out."""
    for cell in code_cells(book):
        try:
            yield ast.parse(cell.source)
        except SyntaxError:
            continue


def imported(tree: ast.Module, package: str) -> Iterator[str]:
    """Yield the name of each module of a package that a cell imports, such as `lessonkit.checks.exercise`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.partition(".")[0] == package)
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] == package:
            names = [alias.name for alias in node.names]
            yield from ([f"{node.module}.{name}" for name in names] if _is_folder(node.module) else [node.module])


def _is_folder(module):
    """Return whether a module is a package: its `__init__` holds nothing, so what it gives is a module."""
    package, *parts = module.split(".")
    spec = importlib.util.find_spec(package)
    return any(Path(folder, *parts).is_dir() for folder in spec.submodule_search_locations) if spec else False


def portable(book: NotebookNode) -> Iterator[Finding]:
    """Yield what one editor alone understands, or cannot show: ids, metadata, kinds of output, scripts."""
    ids = [cell.get("id") for cell in book.cells]
    if None in ids or len(set(ids)) < len(ids):
        yield error("cells without an id, or two with the same")
    if "widgets" in book.metadata:
        yield error("widget state in the metadata: the page will not render everywhere")
    if strange := set(book.metadata) - {"course", "kernelspec", "language_info", "widgets"}:
        yield error(f"metadata of one editor: {sorted(strange)}")
    language, kernel = book.metadata.get("language_info"), book.metadata.get("kernelspec", {}).get("name")
    if (kernel, language) != ("python3", {"name": "python"}):
        yield error(f"the kernel is {kernel} with {language}, expected python3 with {{'name': 'python'}}")
    # Folds of cells and of sections, and the course's own: an editor keeps, and may ignore, what it does not know.
    names = {name for cell in book.cells for name in cell.metadata}
    if strange := names - {"tags", "jupyter", folds.HEADING, "outputs_of"}:
        yield error(f"metadata of cells that one editor alone knows: {sorted(strange)}")
    for number, cell in enumerate(code_cells(book), 1):
        for output in cell.outputs:
            yield from (error(f"cell {number}: {text}") for text in _unportable(output))


def _unportable(output):
    data = output.get("data", {})
    if output.get("metadata"):
        yield "an output with metadata: sizes and folds of outputs are JupyterLab's"
    if "data" in output and not data.get("text/plain"):
        yield "an output without text/plain, which is all that some editors show"
    if strange := set(data) - KINDS:
        yield f"an output of a kind that few editors show: {sorted(strange)}"
    if any(kind.startswith("application/") for kind in data) and "text/html" not in data:
        yield "an output of the course's own kind without HTML beside it"
    page = data.get("text/html", "")
    if re.search(r"<script|<iframe|<link|@import|https?://\S+\.(?:js|css)", page):
        yield "an output that loads or runs something"
    if re.search(r"var\(--jp-[\w-]+\)", page):  # without another value beside it
        yield "an output with a colour of JupyterLab's theme, which has no value elsewhere"


def footer(book: NotebookNode, followers: tuple[str, ...] = ()) -> Iterator[Finding]:
    """Yield what the last cell lacks: sources, a link to the next chapter, and (advice) what surprised us."""
    last = book.cells[-1].source if book.cells[-1].cell_type == "markdown" else ""
    if "Sources" not in last:
        yield error("the last cell has no “Sources”")
    if "surprised us" not in last:
        yield warning("the last cell has no “surprised us”")
    if followers and f"({followers[0]})" not in last:
        yield error(f"the last cell does not link to the next chapter, {followers[0]}")


def uncompared(nb: NotebookNode) -> list[str]:
    """Return `cell 7: first line` of each code cell whose output is not compared."""
    return [label(number, cell) for number, cell in enumerate(code_cells(nb), 1) if UNCOMPARED in tags(cell)]
