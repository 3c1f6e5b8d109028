"""Ask the questions of chapter 12, which are cases of torch_clinic, by number or by id; and run its script."""

import contextlib
import io
import re
import runpy
import sys
import traceback
from difflib import get_close_matches
from pathlib import Path
from types import EllipsisType
from unittest import mock

from lessonkit.checks.listeners import notify
from lessonkit.checks.multiple_choice import judge
from lessonkit.checks.verdict import Verdict
from torch_clinic.cases import Case, read_cases


def ask(name: str, answer: str | EllipsisType | None = None) -> Verdict:
    """Judge a letter as the answer to a case's question; never raises for an answer, whatever it is.

    `name`: "case 7", its number in chapter 12, or its id. By number, only the right answer shows the id.
    Without an answer (None or ...) the verdict is "not attempted" and shows the question with its options. A wrong
    letter is a "known mistake", anything else "wrong". Raises ValueError for a case that asks nothing.
    """
    case = find(name)
    if case is None or not case.question:
        asking = [f"case {one.number}" if str(name).startswith("case") else one.id for one in _asking()]
        near = ", ".join(get_close_matches(str(name), asking)) or ", ".join(asking[:5])
        raise ValueError(f"No case {name!r} with a question; there are {near}.")
    verdict = judge(name, case, answer)
    notify(case, verdict, 0.0, "question")
    return verdict


def run_script(path: Path, *arguments: object) -> str:
    """Run a Python script as `python path *arguments` would, in this process; return what it prints.

    Its names are its own, it has one thread (on a busy machine two would wait for each other), and the random
    numbers of what runs next are those that they would have been. An error's traceback stands at the end.

    >>> Path("greet.py").write_text("import sys; print('hello', sys.argv[1])")
    35
    >>> run_script(Path("greet.py"), "you")
    'hello you\\n'
    """
    import torch  # what only asks questions needs no torch

    said, threads = io.StringIO(), torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with (
            mock.patch.object(sys, "argv", [str(path), *map(str, arguments)]),
            torch.random.fork_rng(devices=[]),
            contextlib.redirect_stdout(said),
            contextlib.suppress(SystemExit),
        ):
            runpy.run_path(str(path), run_name="__main__")
    except Exception as error:  # noqa: BLE001 (whatever the learner's script raises is shown to the learner)
        stack = error.__traceback__
        while stack.tb_next and stack.tb_frame.f_code.co_filename != str(path):
            stack = stack.tb_next  # what runs the script is not the learner's
        traceback.print_exception(error.with_traceback(stack), file=said)
    finally:
        torch.set_num_threads(threads)
    return said.getvalue()


def find(name: object) -> Case | None:
    """Return the case of chapter 12 with that id or number: "mm_shapes", "case 1"; None where there is none."""
    if isinstance(name, str) and (match := re.fullmatch(r"case (\d+)", name)):
        return next((case for case in read_cases().values() if case.number == int(match[1]) > 0), None)
    return read_cases().get(name) if isinstance(name, str) else None


def _asking() -> list[Case]:
    return sorted((case for case in read_cases().values() if case.question), key=lambda case: case.number)
