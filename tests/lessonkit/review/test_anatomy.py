"""The rules of a notebook's anatomy: in a notebook without a fault one thing is broken, and the rule names it."""

import copy
import json

import nbformat
import pytest

from lessonkit.review.anatomy import check, imported, open_valid, syntax_trees, uncompared
from lessonkit.review.diagnostics import errors, warnings

VERDICT = "application/vnd.course.verdict+json"


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
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}, "language_info": {"name": "python"}}
    cells.append(markdown(99, footer))
    return nbformat.from_dict({"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5})


def test_a_good_notebook_has_no_faults(book):
    assert list(check(book, ("04_nets.ipynb",))) == list(check(book)) == []


def raised(name):
    return {"output_type": "error", "ename": name, "evalue": "", "traceback": []}


def stream(words):
    return {"output_type": "stream", "name": "stdout", "text": words}


def shows(**kinds):
    return {"output_type": "display_data", "data": {"text/plain": "x", **kinds}, "metadata": {}}


PNG = shows(**{"image/png": "A" * 100_000})
MANY_IMPORTS = "\n".join(
    [f"from course_utils import name{number}" for number in range(10)]
    + ["import course_utils.data.registry", "from course_utils.checkpoints.restore import shapes"]
)
ERRORS = [
    (lambda cells: cells[0].update(source=cells[0]["source"].replace("# 03 · ", "# ")), "and a claim"),
    (lambda cells: cells[0].update(source=cells[0]["source"].replace("30 minutes", "a while")), "how many minutes"),
    (lambda cells: cells[0].update(source=cells[0]["source"].replace("By the end", "Later")), "By the end"),
    (lambda cells: cells[1]["metadata"].update(tags=[]), "0 cells tagged `parameters`"),
    (lambda cells: cells[1].update(source="SEED = 0"), "expected PROFILE"),
    (lambda cells: cells[3].update(source="half = ...  # your code here"), "without its check"),
    (lambda cells: cells[2].update(source="### Exercise: half"), "no minutes or stars"),
    (lambda cells: cells[12].update(execution_count=None), "not run from top to bottom"),
    (lambda cells: cells[12]["outputs"].append(raised("ValueError")), "without the tag"),
    (lambda cells: cells[12]["metadata"].update(tags=["raises-exception"]), "nothing was raised"),
    (lambda cells: cells[12]["metadata"].update(tags=["live-output"]), "goes with"),
    (lambda cells: cells[12].update(source='open("/home/me/x")'), "in the source"),
    (lambda cells: cells[12]["outputs"].append(stream("saved in /tmp/run1")), "in the output"),
    (lambda cells: cells[12]["outputs"].append(stream("UserWarning: old")), "UserWarning"),
    (lambda cells: cells[12]["outputs"].append(PNG), "over 60 KiB"),
    (lambda cells: cells[12].update(source="print(inspect.getsource(ranks.ring))"), "the source of `ranks.ring`"),
    (lambda cells: cells[12].update(id="c1"), "two with the same"),
    (lambda cells: cells[-1].update(source="What surprised us. Sources."), "link to the next"),
    (lambda cells: cells[0].update(source=cells[0]["source"].replace("- say so", "say so")), "promises nothing"),
    (lambda cells: [cell["metadata"].update(tags=[]) for cell in cells[2:-1]], "no cell is tagged `exercise`"),
    (lambda cells: cells[12]["metadata"].update(collapsed=True), "one editor alone knows: ['collapsed']"),
    (lambda cells: cells[12]["outputs"].append(shows() | {"metadata": {"width": 9}}), "an output with metadata"),
    (lambda cells: cells[12]["outputs"].append(shows(**{"text/plain": ""})), "without text/plain"),
    (lambda cells: cells[12]["outputs"].append(shows(**{"image/svg+xml": "x"})), "few editors show"),
    (lambda cells: cells[12]["outputs"].append(shows(**{VERDICT: "x"})), "without HTML beside it"),
    (lambda cells: cells[12]["outputs"].append(shows(**{"text/html": "<script>"})), "loads or runs"),
    (lambda cells: cells[12]["outputs"].append(shows(**{"text/html": "var(--jp-ui)"})), "JupyterLab's theme"),
]
WARNINGS = [
    (lambda cells: cells[0].update(source=cells[0]["source"] + "\n- a" * 4), "promises 5 things"),
    (lambda cells: cells[10].update(source="x = 1\n" * 26), "has 26 lines"),
    (lambda cells: [cell.update(source="x = 1\n" * 10) for cell in cells[8:-1]], "median cell has 10"),
    (lambda cells: cells.__delitem__(slice(24, 34)), "20 code cells"),
    (lambda cells: cells.insert(12, markdown(77, "word " * 61 + "\n\n" + "word " * 60)), "121 words"),
    (lambda cells: cells[3]["metadata"].update(tags=[]), "2 exercises"),
    (lambda cells: cells[2].update(source="### Exercise: half (5 min, ★★)"), "[2, 1, 1] stars"),
    (lambda cells: cells[12].update(source=MANY_IMPORTS), "12 modules of the course imported"),
    (lambda cells: cells[-1].update(source="**Sources.** None. [Next](04_nets.ipynb)"), "surprised us"),
    (lambda cells: cells[1].update(source=cells[1]["source"] + "\nA = B = 1\nC = 1\nD = 1\nE = 1"), "7 parameters"),
]


def found(book, damage):
    broken = copy.deepcopy(book)
    damage(broken["cells"])
    return list(check(nbformat.from_dict(broken), ("04_nets.ipynb",)))


@pytest.mark.parametrize(("damage", "complaint"), ERRORS, ids=[complaint for _, complaint in ERRORS])
def test_a_fact_that_is_wrong_is_an_error(book, damage, complaint):
    assert complaint in "; ".join(errors(found(book, damage)))


@pytest.mark.parametrize(("damage", "complaint"), WARNINGS, ids=[complaint for _, complaint in WARNINGS])
def test_what_is_counted_is_a_warning_and_no_error(book, damage, complaint):
    assert complaint in "; ".join(warnings(found(book, damage)))
    assert errors(found(book, damage)) == []


@pytest.mark.parametrize(
    ("number", "metadata"),
    [
        (2, {"jp-MarkdownHeadingCollapsed": True}),
        (12, {"jupyter": {"source_hidden": True}}),
        (12, {"outputs_of": "0123456789ab"}),
    ],
    ids=["a section is folded", "the code of a cell is folded", "outputs are of that source"],
)
def test_folds_and_the_course_s_own_metadata_are_no_error(book, number, metadata):
    assert errors(found(book, lambda cells: cells[number]["metadata"].update(metadata))) == []


def test_metadata_of_one_editor_is_an_error(book):
    book.metadata["widgets"], book.metadata["vscode"] = {}, {}
    book.metadata["language_info"] = {"name": "julia"}
    assert [text.partition(":")[0].partition(" with")[0] for text in errors(check(book))] == [
        "widget state in the metadata",
        "metadata of one editor",
        "the kernel is python3",
    ]


@pytest.mark.parametrize(
    "text", ["", "[]", '{"cells": 3}', '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5, "x": 1}']
)
def test_a_file_that_is_no_notebook_is_one_error(tmp_path, text):
    path = tmp_path / "03_broken.ipynb"
    path.write_text(text, encoding="utf-8")
    nb, (finding,) = open_valid(path)
    assert nb is None and finding.level == "error"
    assert finding.text.startswith("03_broken.ipynb is not a notebook that nbformat accepts: ")


def test_a_stored_notebook_is_read_as_it_is(book, tmp_path):
    book.cells[3]["id"] = book.cells[1]["id"]  # nbformat's own reader gives it another
    path = tmp_path / "03_twice.ipynb"
    path.write_text(json.dumps(book), encoding="utf-8")
    nb, findings = open_valid(path)
    assert not findings and "cells without an id, or two with the same" in errors(check(nb))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_no_error(book, tmp_path, encoding):
    path = tmp_path / "03_marked.ipynb"
    path.write_bytes(json.dumps(book).encode(encoding))
    nb, findings = open_valid(path)
    assert not findings and [cell.source for cell in nb.cells] == [cell.source for cell in book.cells]


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("outputs", None, "Cell 4: `outputs` is null"),
        ("id", 7, "Cell 4: `id` is a number"),
        ("metadata", [], "Cell 4: `metadata` is a list"),
        ("source", {"a": 1}, "Cell 4: `source` is a table of values"),
    ],
)
def test_an_odd_cell_of_a_chapter_is_an_error_that_names_it(book, tmp_path, key, value, said):
    book.cells[3][key] = value
    path = tmp_path / "03_odd.ipynb"
    path.write_text(json.dumps(book), encoding="utf-8")
    nb, (finding,) = open_valid(path)
    assert nb is None and said in finding.text


def test_modules_are_told_from_the_names_in_them(book):
    book["cells"][3]["source"] = "from course_utils.seed import set_seed\nfrom course_utils import seed, device"
    book["cells"][5]["source"] = "import torch\nfrom course_utils.exercises import nets as ex"
    assert {name for tree in syntax_trees(book) for name in imported(tree, "course_utils")} == {
        "course_utils.seed",
        "course_utils.device",
        "course_utils.exercises.nets",
    }


def test_cells_that_are_not_compared_are_listed(book):
    assert uncompared(book) == []
    book.cells[-2].metadata.tags = ["nbval-ignore-output"]
    assert uncompared(book) == ["cell 30: 1 + 1"]
