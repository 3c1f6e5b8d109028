"""Which answers of a notebook are found, as what they are judged, and what its row says where there is a choice."""

import copy

import nbformat
import pytest
from graded_here import graded, of_cells

from course_utils import PROJECT

CHECK = "ex.ink.check(ink)"
INK = "def ink(images):\n    return (images / 255).mean(dim=(1, 2))"
WRONG = "def ink(images):\n    return images"
STUB = (
    'def ink(images):\n    """Mean grey value of each picture."""\n    ...  # your code here\n\n\nex.ink.check(ink)'
)
MINE = INK.replace("ink", "mine")


def row_of(folder, *cells, exercise="ink", **given):
    rows = graded(of_cells(*cells, **given), folder).rows
    return next(row for row in rows if row.exercise == exercise)


PASSED = {
    "above the stub": [INK, STUB],
    "checked above the stub": [f"{INK}\n\n{CHECK}", STUB],
    "below the stub": [STUB, INK],
    "its check alone in a cell": [INK, CHECK],
    "a scratch lambda below": [f"{INK}\n{CHECK}", "ex.ink.check(lambda images: images)"],
    "a broken try above": ["def ink(images:\n    return", f"{INK}\n{CHECK}"],
    "a try above whose check is a comment": [f"{WRONG}\n# {CHECK}", f"{INK}\n{CHECK}"],
    "a wrong definition below": [f"{INK}\n{CHECK}", WRONG],
    "a name used for a number below": [f"{INK}\n{CHECK}", "ink = 3"],
    "a helper redefined below": [
        "def scale(x):\n    return x / 255",
        f"{INK.replace('images / 255', 'scale(images)')}\n{CHECK}",
        "def scale(x):\n    return x",
    ],
    "a constant redefined below": ["W = 255", f"{INK.replace('255', 'W')}\n{CHECK}", "W = 3\nprint(W)"],
    "an import shadowed below": [f"import math\n{INK.replace('255', 'math.sqrt(65025)')}\n{CHECK}", "math = 3"],
    "a built-in shadowed below": [f"{INK.replace('255', 'max([255, 1])')}\n{CHECK}", "max = 3"],
    "two values of one name": ["N = 3\ny = N * 85\nN = 1", f"{INK.replace('255', 'y * N')}\n{CHECK}", "N = 9"],
    "names swapped": ["a, b = 1, 255\na, b = b, a", f"{INK.replace('255', 'a')}\n{CHECK}"],
    "another name": [f"{MINE}\nex.ink.check(mine)"],
    "another name of the check": [MINE, "go = ex.ink.check\ngo(mine)"],
    "another name of the exercise": [MINE, "task = ex.ink\nprint(task.check(answer=mine))"],
    "one of a loop": [f"{MINE}\nfor one in (lambda x: x, mine):\n    display(ex.ink.check(one))"],
    "in a branch": [f"ready = True\nif ready:\n    {INK.replace(chr(10), chr(10) + '    ')}\n    {CHECK}"],
    "decorated": [f"import functools\n@functools.cache\n{INK}\n{CHECK}"],
    "a list filled before": [
        "k = []\nk.append(255)\nk.append(1)",
        f"{INK.replace('255', 'k[0]')}\n{CHECK}",
        "k[0] = 3",
    ],
    "an attribute set before": ["class S: ...\nS.k = 255", f"{INK.replace('255', 'S.k')}\n{CHECK}", "S.k = 2"],
    "a dict that a function filled again for the same check": [
        "d = {}\ndef fill(those):\n    those['k'] = 3\n\n\nfill(d)",
        f"{INK.replace('255', repr('k').join(['d[', ']']))}\n{CHECK}",
        "d = {}\ndef fill(those):\n    those['k'] = 255\n\n\nfill(d)",
        f"{INK.replace('255', repr('k').join(['d[', ']']))}\n{CHECK}",
    ],
    "an attribute that a function set again for the same check": [
        "class S: ...\ndef put(where):\n    where.k = 3\n\n\nput(S)",
        f"{INK.replace('255', 'S.k')}\n{CHECK}",
        "class S: ...\ndef put(where):\n    where.k = 255\n\n\nput(S)",
        f"{INK.replace('255', 'S.k')}\n{CHECK}",
    ],
    "a list that a function filled, right the first time": [
        "those = []\ndef add(where):\n    where.append(255)\n\n\nadd(those)",
        f"{INK.replace('255', 'those[-1]')}\n{CHECK}",
        "those = []\ndef add(where):\n    where.append(3)\n\n\nadd(those)",
        f"{INK.replace('255', 'those[-1]')}\n{CHECK}",
    ],
    "a dict that a function filled": [
        "def fill(those):\n    those['k'] = 255\n\n\nd = {}\nfill(d)",
        f"{INK.replace('255', repr('k').join(['d[', ']']))}\n{CHECK}",
    ],
    "a global that a function set": [
        "k = 1\n\n\ndef begin():\n    global k\n    k = 255\n\n\nbegin()",
        f"{INK.replace('255', 'k')}\n{CHECK}",
    ],
    "everything imported": [f"from math import *\nfrom torch import *\n{INK}\n{CHECK}"],
    "a mistake behind the check": [f"{INK}\n{CHECK}\nink(tests.images)\nprint(not_defined)"],
    "its result shown behind the check": [f"{INK}\n{CHECK}\nassert len(ink(digits.images)) == 0"],
    "under %%time": [f"%%time\n{INK}\n{CHECK}"],
    "under %%capture with a name": [f"%%capture out\n{INK}\n{CHECK}", "out.show()"],
    "under two magics": [f"%%capture\n%%time\n{INK}\n{CHECK}"],
    "under a package's magic": [f"%%memit -r 1\n{INK}\n{CHECK}"],
    "below %time": [f"%time k = 255\n%matplotlib inline\n{INK.replace('255', 'k')}\n{CHECK}"],
    "among lines of the shell": [f"!ls\nfiles = !ls\n{INK}\n{CHECK}\nink?"],
    "with a display of its own": [
        "screen = display('x', display_id=True)\nscreen.update('y')\nk = 255 if screen.display_id else 0",
        f"{INK.replace('255', 'k')}\nscreen.update(ink)\n{CHECK}",
    ],
    "with IPython's display": [
        "from IPython.display import clear_output, display, update_display\nscreen = display(display_id='mine')\n"
        "screen.display(1)\nupdate_display(2, display_id='mine')\nclear_output()\nk = 255 if screen else 0",
        f"{INK.replace('255', 'k')}\n{CHECK}",
    ],
    "with a progress bar": [
        "from tqdm.auto import tqdm\nk = 0\nfor lap in tqdm(range(5)):\n    k += 51",
        f"{INK.replace('255', 'k')}\n{CHECK}",
    ],
    "with a widget": [
        "import ipywidgets\nslider = ipywidgets.IntSlider(255, 0, 300)\ndisplay(slider)\nk = slider.value",
        f"{INK.replace('255', 'k')}\n{CHECK}",
    ],
    "a package that is missing and unused": [f"import seaborn as sns\nsns.set_theme()\n{INK}\n{CHECK}"],
    "Colab's drive": ["from google.colab import drive\ndrive.mount('/content/drive')", f"{INK}\n{CHECK}"],
    "a package that may be missing": [
        "try:\n    import no_such_package as fast\nexcept ImportError:\n    fast = None",
        f"{INK.replace('return', 'assert fast is None; return')}\n{CHECK}",
    ],
    "await at the top": [
        "import asyncio\n\n\nasync def read():\n    await asyncio.sleep(0)\n    return 255\n\n\nk = await read()",
        f"{INK.replace('255', 'k')}\n{CHECK}",
    ],
    "async with, and await in a list": [
        f"import asyncio\n\n\nasync def read(x):\n    return x\n\n\nasync with asyncio.timeout(9):\n"
        f"    k = [await read(one) for one in (255,)]\n{INK.replace('255', 'k[0]')}\n{CHECK}"
    ],
}


@pytest.mark.parametrize("cells", PASSED.values(), ids=PASSED)
def test_what_passed_in_the_notebook_passes(tmp_path, cells):
    row = row_of(tmp_path, *cells)
    assert row.state == "passed", row


def test_the_row_says_which_of_several_counts_and_what_the_others_are(tmp_path):
    notebook = of_cells(WRONG + f"\n{CHECK}", f"{INK}\n{CHECK}", "ex.ink.check(lambda images: 1 / 0)")
    first = len(notebook.cells) - 3
    (row,) = [row for row in graded(notebook, tmp_path).rows if row.exercise == "ink"]
    assert row.state == "passed" and row.note == (
        f"3 answers were found: in cells {first}, {first + 1} and {first + 2}; the one in cell {first + 1} counts. "
        f"The one in cell {first} is wrong. The one in cell {first + 2} raised an error."
    )


@pytest.mark.parametrize("cells", [[INK, STUB], [STUB, INK], [INK]], ids=["above", "below", "alone"])
def test_the_row_says_that_no_check_was_given_it(tmp_path, cells):
    assert "The notebook passes it to no check; it is what cell" in row_of(tmp_path, *cells).note


def test_one_answer_that_was_checked_has_no_note(tmp_path):
    assert row_of(tmp_path, STUB, f"{INK}\n{CHECK}").note == ""


@pytest.mark.parametrize(
    ("cells", "state"),
    [
        ([], "missing"),
        ([STUB], "not attempted"),
        ([STUB, STUB], "not attempted"),
        ([f"# {INK.splitlines()[0]}\n# {CHECK}"], "not attempted"),
        ([f"{WRONG}\n{CHECK}", STUB], "wrong"),
        (["%%writefile ink.py\n" + INK], "missing"),
        (["%%bash\necho ex.ink.check(ink)"], "not attempted"),
        (["def ink(images:\n    return", STUB], "raised"),
    ],
)
def test_what_is_no_answer_or_a_wrong_one(tmp_path, cells, state):
    assert row_of(tmp_path, *cells).state == state


@pytest.mark.parametrize("below", [True, False])
def test_a_stub_that_is_kept_with_the_id_of_the_answer_takes_no_mark(tmp_path, below):
    untouched, solved = of_cells(solved=True), of_cells(solved=True)
    original = nbformat.read(PROJECT / "notebooks" / "00_start_here.ipynb", as_version=4)
    stubs = {cell.id: cell for cell in original.cells if "exercise" in cell.metadata.get("tags", [])}
    cells = []
    for cell in untouched.cells:
        kept = [copy.deepcopy(stubs[cell.id])] if cell.get("id") in stubs else []
        cells += [cell, *kept] if below else [*kept, cell]
    solved.cells = cells
    assert {row.state for row in graded(solved, tmp_path).rows} == {"passed"}


def test_demonstrations_of_the_chapter_are_no_answers_with_their_ids_or_without(tmp_path):
    notebook = of_cells(solved=True)
    for cell in notebook.cells:
        cell.pop("id")
        cell.metadata = nbformat.NotebookNode()
    notebook.nbformat_minor = 4
    rows = graded(notebook, tmp_path).rows
    assert {row.state for row in rows} == {"passed"} and not any(row.note for row in rows)


def test_letters_are_answers_too_and_the_best_counts(tmp_path):
    from lessonkit.notebook.catalog import find_question

    right = find_question("case 1").answer
    wrong = next(one for one in "abc" if one != right)
    cells = [
        f'answer = "{wrong}"\nask("case 1", answer)',
        f'ask("case 1", "{right}")',
        'answer = None\nask("case 1", answer)',
    ]
    notebook = of_cells(*cells, chapter="12_clinic")
    row = next(row for row in graded(notebook, tmp_path, chapter="12_clinic").rows if row.exercise == "case 1")
    assert row.passed and "2 answers were found" in row.note
