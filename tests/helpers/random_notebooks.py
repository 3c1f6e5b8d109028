"""Random notebooks of learners: run from top to bottom, then graded; both must say the same, or the row says why.

    python tests/helpers/random_notebooks.py --count 300 --seed 1        prints one line for each that differs

Each notebook is made from a chapter of the course that COURSE_ROOT names, and from answers of its bank: moved,
doubled, split over cells, renamed, put together by decorators and loops, under magics, beside plots, displays and
packages that are missing, with stubs kept, wrong tries before and after, helpers redefined, ids and tags lost.
"""

import argparse
import contextlib
import importlib
import io
import json
import random
import re
import sys
import tempfile
import textwrap
import time
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

import nbformat
from graded_here import graded
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from lessonkit.checks.exercise import Exercise
from lessonkit.desk.matching import names as tasks_in
from lessonkit.notebook.catalog import find
from lessonkit.notebook.cells import tags
from lessonkit.system.course import course, make_importable
from lessonkit.system.place import PROJECT

# Exercises of the course whose checks take tenths of a second; of another course, all.
QUICK = {
    "start_here": ("half_dtype", "to_unit", "hit_rates", "ink", "halvings"),
    "tensors": ("bytes_of", "group_means", "nearest", "standardise", "survives", "windows"),
    "autograd": ("sum_to", "matmul_backward", "two_gradients"),
    "nets": ("conv_size", "cross_entropy", "MLP"),
    "save_load": ("tensors_of", "load_what_fits"),
}
MAGICS = ("%%time", "%%capture", "%%capture kept", "%%capture --no-stderr kept", "%%prun -q")
NOISE = (
    "import matplotlib.pyplot as plt\nfigure, axis = plt.subplots()\naxis.plot([1, 2])\nplt.close(figure)",
    "screen = display(display_id=True)\nfor lap in range(3):\n    screen.update(lap)",
    "from IPython.display import HTML, clear_output, display\ndisplay(HTML('<b>x</b>'))\nclear_output(wait=True)",
    "!echo here\nfiles = !echo a\nprint(files)",
    "import no_such_package_of_mine as nsp\nnsp.set()",
    "from google.colab import drive\ndrive.mount('/content/drive')",
    "print('a note to myself')",
    "%matplotlib inline\n%time total = sum(range(10))",
    "from tqdm import tqdm\nfor lap in tqdm(range(2)):\n    pass",
    "import asyncio\nawait asyncio.sleep(0)",
    "x = [1, 2, 3]\nx.append(4)\nx?",
    "def same(value):\n    return value",
    "sum = 0\nfor number in (1, 2):\n    sum = sum + number\ndel sum",
)


@dataclass
class Made:
    """One notebook, the exercises that it answers, and what was done to it."""

    notebook: nbformat.NotebookNode
    chapter: str
    exercises: list[str]
    steps: list[str] = field(default_factory=list)


class Maker:
    """Makes notebooks from a seed."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.chapters = {one.slug: one for one in find() if one.slug in QUICK or not QUICK.keys() & _slugs()}
        self.steps: list[str] = []

    def notebook(self) -> Made:
        """Return the next one."""
        slug = self.draw.choice(sorted(self.chapters))
        chapter = self.chapters[slug]
        original = nbformat.read(chapter.path, as_version=4)
        stubs = {name: cell for cell in original.cells if "exercise" in tags(cell) for name in tasks_in(cell)}
        names = [name for name in stubs if name in QUICK.get(slug, stubs) and _bank(slug, name)]
        chosen = self.draw.sample(names, min(len(names), self.draw.choice((1, 1, 2))))
        self.steps = []
        head = [cell for cell in original.cells if cell.cell_type == "code"][:2]
        cells = [new_markdown_cell("# My copy"), *head, *self._demonstrations(original)]
        for name in chosen:
            cells += self._answered(slug, name, stubs[name])
        cells = [each for cell in cells for each in (*self._noise(), cell)]
        nb = new_notebook(cells=[nbformat.from_dict(dict(cell)) for cell in cells])
        nb.metadata = original.metadata if self._chance(0.5) else nb.metadata
        self._lose_ids(nb)
        return Made(nb, chapter.name, chosen, self.steps)

    def _chance(self, share):
        return self.draw.random() < share

    def _noise(self):
        return [new_code_cell(self.draw.choice(NOISE))] if self._chance(0.25) else []

    def _demonstrations(self, original):
        """Return cells of the chapter that check answers of its own, with what they define."""
        own = [cell for cell in original.cells if cell.cell_type == "code" and "exercise" not in tags(cell)]
        return [cell for cell in own if ".check(ours)" in cell.source] if self._chance(0.3) else []

    def _lose_ids(self, nb):
        share = self.draw.choice((0, 0, 0.5, 1))
        for cell in nb.cells:
            if self._chance(share):
                cell.pop("id", None)
                cell.metadata = nbformat.NotebookNode()
        nb.nbformat_minor = 5 if share == 0 else 4
        self.steps.append(f"ids lost: {share}")

    def _answered(self, slug, name, stub):
        """Return the cells of one exercise: tries in an order, the stub somewhere, and what comes after."""
        bank = _bank(slug, name)
        tries = self.draw.choices(bank, [*map(_weight, bank)], k=self.draw.choice((1, 1, 1, 2, 3)))
        cells = [one for number, (_, source) in enumerate(tries) for one in self._try(name, source, number, stub)]
        extra = self.draw.choice(("", "", "above", "below", "both", "scratch", "broken", "commented", "later"))
        kept = nbformat.from_dict(dict(stub))
        self.steps.append(f"{name}: {[label for label, _ in tries]} {extra}")
        if extra in ("above", "both"):
            cells.insert(0, kept)
        if extra in ("below", "both"):
            cells.append(kept)
        if extra == "scratch":
            cells.append(new_code_cell(f"ex.{name}.check(lambda *inputs: inputs)"))
        if extra == "broken":
            cells.insert(0, new_code_cell(f"def {name}(x:\n    return\n\nex.{name}.check({name})"))
        if extra == "commented":
            cells.insert(0, new_code_cell(f"def {name}(*x):\n    return x\n\n# ex.{name}.check({name})"))
        if extra == "later":
            cells.append(new_code_cell("same, CONSTANT, settings = len, 'drawn', {'k': 9}\nhelper = print"))
        return cells

    def _try(self, name, source, number, stub):
        """Return the cells in which one answer is written and checked."""
        way = self.draw.choice(WAYS)
        self.steps.append(way)
        check = f"ex.{name}.check({name})"
        is_value = not re.search(rf"^(def|class) {name}\b", source, re.MULTILINE)
        if is_value and way not in ("stub", "split", "magic", "behind", "time", "unchecked", "printed", "if"):
            way = "stub"
        mine = f"my_{name}_{number}"
        renamed = re.sub(rf"\b{name}\b", mine, source)
        wrap = f"def {name}(*inputs, **more):\n    return same({mine}(*inputs, **more))"
        is_class = re.search(rf"^class {name}\b", source, re.MULTILINE)
        if is_class:
            wrap = f"class {name}(same({mine})):\n    pass"
        texts = {
            "stub": [f"{source}\n\n\n{check}"],
            "split": [source, check],
            "unchecked": [source],
            "renamed": [f"{renamed}\n\n\nex.{name}.check({mine})"],
            "alias": [renamed, f"task = ex.{name}\ntask.check({mine})"],
            "helper": [renamed, "def same(value):\n    return value", f"{wrap}\n\n\n{check}"],
            "helper below": [f"{renamed}\n\n\n{wrap}", "def same(value):\n    return value", check],
            "constant": [
                f"CONSTANT = {number}\nsettings = dict(k=1)",
                "settings['k'] = 0\nsettings.update(k=None)",
                f"{renamed}\n\n\n{name} = {mine} if (settings['k'], CONSTANT) == (None, {number}) else 0\n{check}",
            ],
            "magic": [f"{self.draw.choice(MAGICS)}\n{source}\n\n\n{check}"],
            "time": [source, f"%time verdict = {check}\nverdict"],
            "printed": [f"{source}\n\n\nverdict = {check}\nprint(verdict.state, verdict.passed)"],
            "behind": [f"{source}\n\n\n{check}\nprint(not_defined_{number})\n{name}(1, 2, 3)"],
            "loop": [f"{renamed}\n\n\nfor one in ({mine}, lambda *x: None):\n    display(ex.{name}.check(one))"],
            "comprehension": [renamed, f"[ex.{name}.check(one).passed for one in [{mine}]]"],
            "decorator": [
                f"def keep(made):\n    return made\n\n\n{_decorated(source, name)}\n\n\n{check}",
            ],
            "if": [f"ready = True\nif ready:\n{textwrap.indent(source, '    ')}\n\n    {check}"],
            "try": [
                "try:\n    import no_such_package_of_mine as fast\nexcept ImportError:\n    fast = None",
                f"{renamed}\n\n\n{name} = {mine} if fast is None else None\n{check}",
            ],
            "await": [
                "async def waited(value):\n    return value",
                f"{renamed}\n\n\n{name} = await waited({mine})\n{check}",
            ],
            "swapped": [
                f"{renamed}\n\n\nother = print",
                f"other, {name} = {mine}, other\n{name}, other = other, 0\n{check}",
            ],
            "attribute": [
                f"{renamed}\n\n\nclass Mine: ...",
                f"Mine.answer = {mine}",
                f"ex.{name}.check(Mine.answer)",
            ],
            "listed": [f"{renamed}\n\n\nanswers = []", f"answers.append({mine})", f"ex.{name}.check(answers[-1])"],
            "filled": [
                f"{renamed}\n\n\ndef fill(those):\n    those['it'] = {mine}\n\n\nfilled = {{}}\nfill(filled)",
                f"ex.{name}.check(filled['it'])",
            ],
            "global": [
                f"{renamed}\n\n\ndef begin():\n    global chosen_{number}\n    chosen_{number} = {mine}",
                f"chosen_{number} = None\nbegin()",
                f"ex.{name}.check(chosen_{number})",
            ],
        }[way]
        cells = [new_code_cell(text) for text in texts]
        if way == "stub" and self._chance(0.5):
            cells[-1] = nbformat.from_dict(dict(stub) | {"source": texts[-1]})
        return [each for cell in cells for each in (*self._noise(), cell)]


WAYS = ("stub", "stub", "split", "unchecked", "renamed", "alias", "helper", "helper below", "constant", "magic")
WAYS += (
    "magic",
    "time",
    "printed",
    "behind",
    "loop",
    "comprehension",
    "decorator",
    "if",
    "try",
    "await",
    "swapped",
)
WAYS += ("attribute", "listed", "filled", "global")


def _decorated(source, name):
    return re.sub(rf"^((?:async )?(?:def|class) {name}\b)", r"@keep\n\1", source, flags=re.MULTILINE)


def _slugs():
    return {one.slug for one in find()}


def _bank(slug, name):
    """Return (label, text) of the answers in the bank to an exercise."""
    path = PROJECT / course().answers / slug / f"{name}.py"
    if not path.is_file():
        return []
    parts = re.split(r"^# %% (\w+): .*\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    found = [(label, text.strip()) for label, text in zip(parts[::2], parts[1::2], strict=True)]
    return [one for one in found if not re.search(r"while True|sleep|input\(", one[1])]


def _weight(one):
    return 4 if one[0].startswith("right") else 1


class Kernel:
    """Runs notebooks from top to bottom in one IPython shell that is emptied between them."""

    def __init__(self) -> None:
        from IPython.core.interactiveshell import InteractiveShell
        from traitlets.config import Config

        config = Config()
        config.HistoryManager.enabled = False
        self.shell = InteractiveShell.instance(config=config)
        self.shell.colors = "nocolor"

    def verdicts(self, notebook) -> dict[str, list[str]]:
        """Return exercise -> the states of its checks, in order; a cell that raises ends that cell alone."""
        self.shell.reset(new_session=True)
        found: dict[str, list[str]] = {}
        check = Exercise.check

        def noted(exercise, answer, *, seed=None):
            verdict = check(exercise, answer, seed=seed)
            found.setdefault(exercise.name, []).append(verdict.state)
            return verdict

        quiet = io.StringIO()
        silent = contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet)
        with mock.patch.object(Exercise, "check", noted), silent[0], silent[1]:
            for cell in notebook.cells:
                if cell.cell_type == "code":
                    self.shell.run_cell(cell.source, store_history=False)
        return found


def differs(row, states: list[str], *, demonstrated: bool) -> str:
    """Return what a row says otherwise than the checks of the run from top to bottom; empty where it says why."""
    passed = "passed" in states
    if row.state == "passed":
        return "" if passed or "passes it to no check" in row.note else "passed, and no check of the run did"
    if row.state == "not judged here":
        return ""
    if passed:
        return f"{row.state}, and a check of the run passed"
    tried = [state for state in states if state != "not attempted"]
    if tried and row.state == "not attempted":
        return "" if demonstrated else "not attempted, and the run tried it"
    same = not tried or row.state in tried or "passes it to no check" in row.note or row.state == "raised"
    return "" if same else f"{row.state}, and the run said {tried}"


def main() -> None:
    """Make, run and grade as many as asked for; print those that differ, then one line of totals."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="the number of one to print whole")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    make_importable()
    import matplotlib

    matplotlib.use("Agg")
    maker, kernel, start, lost = Maker(given.seed), Kernel(), time.monotonic(), 0
    said: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for number in range(given.count):
            made = maker.notebook()
            if given.only not in (None, number):
                continue
            states = kernel.verdicts(made.notebook)
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                rows = {row.exercise: row for row in graded(made.notebook, Path(folder), chapter=made.chapter).rows}
            if given.only == number:
                print("\n".join(f"--- {n}\n{cell.source}" for n, cell in enumerate(made.notebook.cells)))
            demonstrated = any(".check(ours)" in cell.source for cell in made.notebook.cells)
            for name in made.exercises:
                said[rows[name].state] = said.get(rows[name].state, 0) + 1
                if why := differs(rows[name], states.get(name, []), demonstrated=demonstrated):
                    lost += 1
                    told = [made.chapter, name, why, rows[name].message[:200], rows[name].note, made.steps]
                    print(json.dumps([number, *told], ensure_ascii=False))
    print(f"{given.count} notebooks, {lost} differ, {said}, {time.monotonic() - start:.0f} s")
    sys.exit(bool(lost))


if __name__ == "__main__":
    importlib.invalidate_caches()
    main()
