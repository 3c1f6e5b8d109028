"""The anatomy that every notebook shares, checked on the stored files; what they compute is nbval's to compare."""

import ast
import copy
import json
import re
import statistics

import pytest

from course_utils import PROJECT

NOTEBOOKS = sorted((PROJECT / "notebooks").glob("*.ipynb"))
MOST_WORDS, MOST_LINES, MOST_PNG = 120, 25, 60 * 1024
# The clinic is looked up, not read through: some thirty cases of
# three cells each (broken, asked, mended). 09's last exercise, the use of a profile, came with a cell of its own.
MOST_CELLS = {"09": 57, "12": 110}
MACHINES_PATH = re.compile(r"(?<![\w.:/])/(?:home|Users|root|tmp|work|mnt|opt|var)/\w|[A-Z]:\\+Users")
WARNING = re.compile(r"\b\w*Warning\b")
MOST_MODULES = 11
# What a notebook shows with `inspect.getsource`, `{("12", "name shown"): "why it is no cell"}`: the code that a
# chapter teaches stands in its cells, before it runs, where a learner can change it.
SHOWN_SOURCES = {}
FACES = {"seed", "device", "machine", "metrics", "training"}
FACES |= {"plotting", "recorded", "datasets", "checkpoint", "launch"}


def text(value):
    return "".join(value) if isinstance(value, list) else str(value or "")


def tags(cell):
    return set(cell["metadata"].get("tags", []))


def shown(output):
    """All text of one output, errors and HTML included."""
    data = [text(value) for mime, value in output.get("data", {}).items() if mime.startswith("text/")]
    return "\n".join([text(output.get("text")), *data, text(output.get("evalue")), text(output.get("traceback"))])


def code_cells(book):
    return [c for c in book["cells"] if c["cell_type"] == "code" and text(c["source"]).strip()]


def stretches(book):
    """Prose between two code cells or headings, without tables, the title cell and the footer."""
    stretch = []
    for cell in book["cells"][1:-1]:
        for line in text(cell["source"]).splitlines() if cell["cell_type"] == "markdown" else ["#"]:
            if line.startswith("#"):
                yield " ".join(stretch)
                stretch = []
            elif not line.startswith("|"):
                stretch.append(line)
    yield " ".join(stretch)


def syntax_trees(book):
    """The code cells as Python; cells in another language (`%%writefile`) and those that are wrong are left out."""
    for cell in code_cells(book):
        try:
            yield ast.parse(text(cell["source"]))
        except SyntaxError:
            continue


def modules(book):
    """Names of the modules of course_utils that a notebook imports, such as `lessonkit.checks.exercise`."""
    found = set()
    for node in (node for tree in syntax_trees(book) for node in ast.walk(tree)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            while name.startswith("course_utils") and not (PROJECT / f"{name.replace('.', '/')}.py").is_file():
                name = name.rpartition(".")[0]  # a name in a module, or a folder's
            found |= {name} if name.startswith("course_utils") else set()
    return found


def sources_shown(book):
    """What is asked for its source with `inspect.getsource` or `getsource`, as the cell spells it."""
    for node in (node for tree in syntax_trees(book) for node in ast.walk(tree)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "getsource":
            yield ast.unparse(node.args[0])


def opening(book, followers):
    title = text(book["cells"][0]["source"])
    if not re.match(r"# \d\d · \S", title):
        yield "the first cell does not start with `# NN · ` and a claim"
    if not re.search(r"\b\d+ minutes\b", title):
        yield "the first cell does not say how many minutes the chapter takes"
    for words in ("By the end you can", "Builds on"):
        if words.lower() not in title.lower():
            yield f"the first cell has no “{words}”"
    if len(re.findall(r"^- ", title, re.MULTILINE)) not in range(1, 5):
        yield "the first cell promises nothing, or more than four things"


def parameters(book, followers):
    cells = [c for c in code_cells(book) if "parameters" in tags(c)]
    if len(cells) != 1:
        yield f"{len(cells)} cells tagged `parameters`, expected one"
        return
    assigned = [
        node.targets[0].id for node in ast.parse(text(cells[0]["source"])).body if isinstance(node, ast.Assign)
    ]
    if not {"PROFILE", "SEED", "DEVICE"} <= set(assigned) or len(assigned) > 6:
        yield f"the parameters are {assigned}; expected PROFILE, SEED, DEVICE and little else"


def size(book, followers):
    shown = [
        "" if c["metadata"].get("jupyter") else text(c["source"]) for c in code_cells(book)
    ]  # not what is folded
    lines = [sum(bool(line.strip()) for line in source.splitlines()) for source in shown]
    most = MOST_CELLS.get(text(book["cells"][0]["source"])[2:4], 55)
    if not 25 <= len(lines) <= most:
        yield f"{len(lines)} code cells, expected 25 to {most}"
    if max(lines) > MOST_LINES:
        yield f"code cell {lines.index(max(lines)) + 1} has {max(lines)} lines, expected at most {MOST_LINES}"
    if statistics.median(lines) > 9:
        yield f"the median cell has {statistics.median(lines):g} lines, expected about six"
    for stretch in stretches(book):
        if len(stretch.split()) > MOST_WORDS:
            yield f"{len(stretch.split())} words without a cell or a heading: {stretch[:60]!r}…"


def exercises(book, followers):
    cells = book["cells"]
    found = [i for i, c in enumerate(cells) if "exercise" in tags(c)]
    if not 3 <= len(found) <= 5:
        yield f"{len(found)} exercises, expected three to five"
    for i in found:
        if not re.search(r"^ex\.\w+\.check\(", text(cells[i]["source"]), re.MULTILINE):
            yield f"an exercise without its check: {text(cells[i]['source'])[:60]!r}"
        if not re.search(r"\d+ min.*★", text(cells[i - 1]["source"])):
            yield f"no minutes or stars before the exercise {text(cells[i]['source'])[:60]!r}"
    stars = [max(map(len, re.findall("★+", text(cells[i - 1]["source"]))), default=0) for i in found]
    if stars and (max(stars[len(stars) // 2 :]) < max(stars) or stars[-1] < stars[0]):
        yield f"exercises of {stars} stars: the hardest not in the second half, or the last easier than the first"


def execution(book, followers):
    counts = [c["execution_count"] for c in code_cells(book)]
    if counts != list(range(1, len(counts) + 1)):
        yield f"not run from top to bottom: execution counts {counts[:8]}…; run `course refresh`"
    for number, cell in enumerate(code_cells(book), 1):
        raised = any(output["output_type"] == "error" for output in cell["outputs"])
        if raised and "raises-exception" not in tags(cell):
            yield f"cell {number}: an error without the tag `raises-exception`"
        if "raises-exception" in tags(cell) and not raised:
            yield f"cell {number}: tagged `raises-exception`, and nothing was raised"
        if "live-output" in tags(cell) and "nbval-ignore-output" not in tags(cell):
            yield f"cell {number}: `live-output` goes with `nbval-ignore-output`"


def outputs(book, followers):
    for number, cell in enumerate(code_cells(book), 1):
        if MACHINES_PATH.search(text(cell["source"])):
            yield f"cell {number}: a path of one machine in the source"
        for output in cell["outputs"]:
            said = shown(output)
            if path := MACHINES_PATH.search(said):
                yield f"cell {number}: a path of one machine in the output: {said[path.start() :][:40]!r}"
            if warning := WARNING.search(said):
                yield f"cell {number}: a warning in the output: {warning.group()}"
            if len(text(output.get("data", {}).get("image/png"))) * 3 // 4 > MOST_PNG:
                yield f"cell {number}: a picture over {MOST_PNG // 1024} KiB"


def lesson(book, followers):
    number = text(book["cells"][0]["source"])[2:4]
    if len(found := modules(book)) > MOST_MODULES:
        yield f"{len(found)} modules of the course imported, expected at most {MOST_MODULES}: {sorted(found)}"
    for name in sources_shown(book):
        if (number, name) not in SHOWN_SOURCES:
            yield f"the source of `{name}` is printed; write it out in a cell, before it runs"


def metadata(book, followers):
    ids = [c.get("id") for c in book["cells"]]
    if None in ids or len(set(ids)) < len(ids):
        yield "cells without an id, or two with the same"
    if "widgets" in book["metadata"]:
        yield "widget state in the metadata: the page will not render everywhere"


def footer(book, followers):
    last = text(book["cells"][-1]["source"]) if book["cells"][-1]["cell_type"] == "markdown" else ""
    for words in ("surprised us", "Sources"):
        if words not in last:
            yield f"the last cell has no “{words}”"
    if followers and f"({followers[0]})" not in last:
        yield f"the last cell does not link to the next chapter, {followers[0]}"


RULES = (opening, parameters, size, exercises, execution, outputs, lesson, metadata, footer)


def faults(book, followers=()):
    """Every fault of a notebook as a sentence; `followers`: file names of the chapters after it."""
    return [fault for rule in RULES for fault in rule(book, followers)]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_has_the_anatomy_of_the_course(path):
    followers = [
        other.name for other in NOTEBOOKS if other > path and int(other.stem[:2]) == int(path.stem[:2]) + 1
    ]
    found = faults(json.loads(path.read_text(encoding="utf-8")), followers)
    assert not found, "\n".join(found)


def markdown(number, source):
    return {"cell_type": "markdown", "id": f"m{number}", "metadata": {}, "source": source}


def code(number, source, *names):
    return {
        "cell_type": "code",
        "id": f"c{number}",
        "metadata": {"tags": list(names)},
        "source": source,
        "execution_count": number,
        "outputs": [],
    }


@pytest.fixture
def book():
    """A notebook without a fault; a test below breaks one thing in it."""
    title = "# 03 · A claim\n\nAbout 30 minutes.\n\n**By the end you can**\n- say so.\n\n**Builds on** 02."
    cells = [markdown(0, title), code(1, 'PROFILE = "quick"\nSEED = 0\nDEVICE = None', "parameters")]
    for number in range(2, 5):
        cells.append(markdown(number, "### Exercise: half (5 min, ★)"))
        cells.append(code(number, "half = ...  # your code here\n\nex.half.check(half)", "exercise"))
    cells += [code(number, "1 + 1") for number in range(5, 31)]
    footer = "**What surprised us.** Nothing.\n\n**Sources.** None.\n\n[Next](04_nets.ipynb)"
    return {"cells": [*cells, markdown(99, footer)], "metadata": {}}


def test_a_good_notebook_has_no_faults(book):
    assert faults(book, ["04_nets.ipynb"]) == faults(book) == []


def error(name):
    return {"output_type": "error", "ename": name, "evalue": "", "traceback": []}


def stream(words):
    return {"output_type": "stream", "name": "stdout", "text": words}


PNG = {"output_type": "display_data", "data": {"image/png": "A" * 100_000}, "metadata": {}}
MANY_IMPORTS = "\n".join(
    [f"from course_utils import {name}" for name in sorted(FACES)]
    + ["import lessonkit.checks.verdict", "from lessonkit.checks.exercise import Exercise"]
)
BREAKS = [
    (lambda cells: cells[0].update(source=cells[0]["source"].replace("# 03 · ", "# ")), "and a claim"),
    (lambda cells: cells[0].update(source=cells[0]["source"].replace("30 minutes", "a while")), "how many minutes"),
    (lambda cells: cells[0].update(source=cells[0]["source"].replace("By the end", "Later")), "By the end"),
    (lambda cells: cells[0].update(source=cells[0]["source"] + "\n- a" * 4), "more than four"),
    (lambda cells: cells[1]["metadata"].update(tags=[]), "0 cells tagged `parameters`"),
    (lambda cells: cells[1].update(source="SEED = 0"), "expected PROFILE"),
    (lambda cells: cells[10].update(source="x = 1\n" * 26), "has 26 lines"),
    (lambda cells: [cell.update(source="x = 1\n" * 10) for cell in cells[8:-1]], "median cell has 10"),
    (lambda cells: cells.__delitem__(slice(20, 30)), "20 code cells"),
    (lambda cells: cells.insert(12, markdown(77, "word " * 61 + "\n\n" + "word " * 60)), "121 words"),
    (lambda cells: cells[3]["metadata"].update(tags=[]), "2 exercises"),
    (lambda cells: cells[3].update(source="half = ...  # your code here"), "without its check"),
    (lambda cells: cells[2].update(source="### Exercise: half"), "no minutes or stars"),
    (lambda cells: cells[2].update(source="### Exercise: half (5 min, ★★)"), "[2, 1, 1] stars"),
    (lambda cells: cells[12].update(execution_count=None), "not run from top to bottom"),
    (lambda cells: cells[12]["outputs"].append(error("ValueError")), "without the tag"),
    (lambda cells: cells[12]["metadata"].update(tags=["raises-exception"]), "nothing was raised"),
    (lambda cells: cells[12]["metadata"].update(tags=["live-output"]), "goes with"),
    (lambda cells: cells[12].update(source='open("/home/me/x")'), "in the source"),
    (lambda cells: cells[12]["outputs"].append(stream("saved in /tmp/run1")), "in the output"),
    (lambda cells: cells[12]["outputs"].append(stream("UserWarning: old")), "UserWarning"),
    (lambda cells: cells[12]["outputs"].append(PNG), "over 60 KiB"),
    (lambda cells: cells[12].update(source=MANY_IMPORTS), "12 modules of the course imported"),
    (lambda cells: cells[12].update(source="print(inspect.getsource(ranks.ring))"), "the source of `ranks.ring`"),
    (lambda cells: cells[12].update(id="c1"), "two with the same"),
    (lambda cells: cells[-1].update(source="**Sources.** None. [Next](04_nets.ipynb)"), "surprised us"),
    (lambda cells: cells[-1].update(source="What surprised us. Sources."), "link to the next"),
]


@pytest.mark.parametrize(("damage", "complaint"), BREAKS, ids=[complaint for _, complaint in BREAKS])
def test_a_fault_is_named(book, damage, complaint):
    broken = copy.deepcopy(book)
    damage(broken["cells"])
    assert complaint in "; ".join(faults(broken, ["04_nets.ipynb"]))


def test_widget_state_is_a_fault(book):
    book["metadata"]["widgets"] = {}
    assert "widget state" in " ".join(faults(book))


def test_there_are_notebooks():
    assert NOTEBOOKS
    assert len({path.stem[:2] for path in NOTEBOOKS}) == len(NOTEBOOKS), "two chapters with one number"


def test_modules_are_told_from_the_names_in_them(book):
    book["cells"][3]["source"] = "from course_utils.seed import set_seed\nfrom course_utils import seed, device"
    book["cells"][5]["source"] = "import torch\nfrom course_utils.exercises import nets as ex"
    assert modules(book) == {"course_utils.seed", "course_utils.device", "course_utils.exercises.nets"}


def test_a_module_at_the_top_serves_two_chapters():
    books = [json.loads(path.read_text(encoding="utf-8")) for path in NOTEBOOKS]
    imported = [name for book in books for name in modules(book)]
    lonely = {face for face in FACES if imported.count(f"course_utils.{face}") < 2}
    assert not lonely, "the place of these is course_utils/chapters/"
    top = {path.stem for path in (PROJECT / "course_utils").glob("*.py")} - {"__init__", "cli"}
    assert top == FACES
