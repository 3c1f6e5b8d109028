"""A chapter's own demonstrations are nobody's tries: not on the live page, and not in the record."""

import os
from pathlib import Path

import nbformat
import pytest
from classroom_here import open_room
from jupyter_client.manager import start_new_kernel

from lessonkit.notebook.catalog import find
from lessonkit.progress import record
from lessonkit.progress.contents import contents
from lessonkit.reporting.membership import keep, member
from lessonkit.teach.classroom.questions import questions

START = {cell["id"]: cell for cell in nbformat.read(find()[0].path, 4).cells}
SHOWN = ("57b73a92", "3f1c3e4a")  # below "What a check tells you"
IMPORT = "import torch\nfrom course_utils.exercises import start_here as ex\nfrom IPython.display import display"
STUB, LOOP = START["67d293ba"].source, START["3f1c3e4a"].source
RIGHT = "def to_unit(images):\n    return images.to(torch.float32) / 255\n\n\nex.to_unit.check(to_unit)"


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    """A room, and a function that runs cells in a kernel at a joined desk; it returns what came to be known."""
    work = tmp_path_factory.mktemp("work")
    env = {name: value for name, value in os.environ.items() if name not in ("CI", "COURSE_PROGRESS")}
    with open_room(questions(contents()[:1])) as room:
        keep(work, member(room.opened.join_address, "Ada", folder=work))
        manager, client = start_new_kernel(cwd=str(work), env=env | {"COURSE_WORK": str(work)})

        def run(source, key=None):
            content = {"code": source, "silent": False, "store_history": True, "allow_stdin": False}
            message = client.session.msg("execute_request", content)
            message["metadata"] = {"cellId": key} if key else {}
            client.shell_channel.send(message)
            while True:
                reply = client.get_shell_msg(timeout=300)
                if reply["parent_header"].get("msg_id") == message["header"]["msg_id"]:
                    assert reply["content"]["status"] == "ok", reply["content"]
                    return

        def known():
            run(
                "from lessonkit.checks import listeners\nfor one in listeners.registered():\n"
                "    assert getattr(one, 'finish', lambda patience: True)(60)"
            )
            path = Path(work) / record.FILE
            noted = {one.exercise: (one.tries, one.hints) for one in record.read(path)} if path.exists() else {}
            return room.room.checks, noted.get("to_unit", (0, 0)), noted.get("half_dtype", (0, 0))

        run(IMPORT)
        yield run, known
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def change(kernel, source, key=None):
    """Return by how much a cell changes the page's checks, the tries of to_unit and the hints of half_dtype."""
    run, known = kernel
    before = known()
    run(source, key)
    after = known()
    return after[0] - before[0], after[1][0] - before[1][0], after[2][1] - before[2][1]


@pytest.mark.parametrize("key", SHOWN)
@pytest.mark.parametrize("front_end", ["JupyterLab", "no id"])
def test_the_cells_under_what_a_check_tells_you_are_nobody_s_tries(kernel, key, front_end):
    assert change(kernel, START[key].source, key if front_end == "JupyterLab" else None) == (0, 0, 0)


def test_a_hint_that_the_chapter_shows_is_nobody_s_hint(kernel):
    (key,) = [key for key, cell in START.items() if cell.source == "ex.half_dtype.hint()"]
    assert change(kernel, "ex.half_dtype.hint()", key) == (0, 0, 0)


@pytest.mark.parametrize(
    ("source", "key"),
    [
        (LOOP.replace("/ 255", "/ 254"), SHOWN[1]),
        ("%%time\n" + LOOP.replace("ex.to_unit.check", "_ = ex.to_unit.check"), SHOWN[1]),
        (LOOP.replace("\n", "\n\n") + "\n", None),
    ],
    ids=["edited", "under a magic", "other white space and no id"],
)
def test_a_demonstration_that_was_touched_is_still_one(kernel, source, key):
    assert change(kernel, source, key) == (0, 0, 0)


@pytest.mark.parametrize(
    ("source", "key", "tries"),
    [
        (STUB, "67d293ba", 0),
        (STUB.replace("...", "return images"), "67d293ba", 1),
        (RIGHT, "a-cell-of-my-own", 1),
        (RIGHT.replace("255", "254.5"), None, 1),
        (RIGHT, SHOWN[1], 1),
    ],
    ids=[
        "stub",
        "tried",
        "right in a cell of their own",
        "wrong without an id",
        "right in the demonstration's cell",
    ],
)
def test_what_a_learner_tries_counts(kernel, source, key, tries):
    assert change(kernel, source, key) == (1, tries, 0)


def test_the_whole_chapter_run_untouched_leaves_no_tries_and_no_hints(kernel):
    run, known = kernel
    before = known()
    cells = [cell for cell in START.values() if cell.cell_type == "code"]
    checked = [
        cell for cell in cells if "ex." in cell.source and ("check(" in cell.source or "hint(" in cell.source)
    ]
    for cell in checked:
        run(cell.source, cell["id"])
    after = known()
    stubs = sum("exercise" in cell.metadata.get("tags", ()) for cell in checked)
    assert after[0] - before[0] == stubs >= 5 and after[1:] == before[1:]
