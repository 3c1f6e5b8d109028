"""Measure the packages: how large each one is, what a notebook imports, which imports go against the arrows.

    python tools/house.py            every measure, one line each
    python tools/house.py --json     the same as JSON

Everything is counted from the files and their import statements; nothing of the course is executed but one import,
which lists what a learner's kernel loads. docs/architecture.md says what the packages are for.
"""

import argparse
import ast
import json
import subprocess
import sys
from functools import cache
from pathlib import Path

from testing.depends import PACKAGES

from course_utils import PROJECT

TESTS, ANSWERS = PROJECT / "tests", PROJECT / "answers"


def lines(paths):
    """Lines in files, as `wc -l` counts them."""
    return sum(path.read_bytes().count(b"\n") for path in paths)


def python_in(folder):
    """The Python files under a folder."""
    return sorted(folder.rglob("*.py"))


def module_file(name):
    """The file of a module of ours, by its dotted name; None for a name that is none."""
    path = PROJECT / Path(*name.split("."))
    for one in (path.with_suffix(".py"), path / "__init__.py"):
        if one.is_file() and name.split(".")[0] in PACKAGES:
            return one
    return None


def imported(source):
    """The files of ours that a source imports, packages on the way to a module among them."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            parts = name.split(".")
            found |= {module_file(".".join(parts[: n + 1])) for n in range(len(parts))}
    return found - {None}


@cache
def of_file(path):
    """The files of ours that a file imports."""
    return frozenset(imported(path.read_text(encoding="utf-8")))


def closure(sources):
    """All files of ours that sources lead to, with those that these import, and so on."""
    waiting, found = list(set().union(*map(imported, sources)) if sources else ()), set()
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += of_file(path)
    return found


def cells(notebook):
    """The code cells of a notebook that are Python."""
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] != "code":
            continue
        try:
            ast.parse(source)
        except SyntaxError:  # a magic, or a cell that is wrong on purpose
            continue
        yield source


def without_exercises(paths):
    """Those files that are no chapter's exercises."""
    return [path for path in paths if "exercises" not in path.relative_to(PROJECT).parts]


def in_a_kernel():
    """Modules of ours that a learner's kernel has loaded after its first check."""
    program = (
        "import sys, json\nfrom course_utils.exercises import tensors as ex\nex.survives.check(None)\n"
        f"print(json.dumps([m for m in sys.modules if m.split('.')[0] in {PACKAGES}]))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=PROJECT)
    return json.loads(done.stdout)


def against(package, towards):
    """`file: import` for each import from one package to another."""
    found = []
    for path in python_in(PROJECT / package):
        for one in of_file(path):
            name = one.relative_to(PROJECT).as_posix()
            if name.startswith(f"{towards}/"):
                found.append(f"{path.relative_to(PROJECT).as_posix()}: {name}")
    return sorted(found)


def measures():
    """Each measure by its name."""
    books = sorted((PROJECT / "notebooks").glob("*.ipynb"))
    whole = without_exercises(closure([source for book in books for source in cells(book)]))
    four = without_exercises(closure(list(cells(next(book for book in books if book.stem.startswith("04"))))))
    loaded = in_a_kernel()
    entries = [one for one in (PROJECT / "course_utils").iterdir() if one.name not in ("__pycache__", "content")]
    found = {f"lines of Python in {name}": lines(python_in(PROJECT / name)) for name in PACKAGES}
    found["lines of Python in lessonkit.teach (part of lessonkit)"] = lines(
        python_in(PROJECT / "lessonkit" / "teach")
    )
    found["lines of Python in the packages"] = sum(lines(python_in(PROJECT / name)) for name in PACKAGES)
    exercises = PROJECT / "course_utils" / "exercises"
    found["lines of Python in course_utils.exercises (part of course_utils)"] = lines(python_in(exercises))
    found["modules in the packages, without exercises"] = sum(
        len(without_exercises(python_in(PROJECT / name))) for name in PACKAGES
    )
    found["lines of Python in tests"] = lines(python_in(TESTS))
    found["lines of Python in the bank"] = lines(python_in(ANSWERS)) if ANSWERS.is_dir() else 0
    for what, paths in (("the notebooks'", whole), ("chapter 04's", four)):
        ours = [path for path in paths if path.is_relative_to(PROJECT / "course_utils")]
        found[f"lines of course_utils in {what} import closure, without exercises"] = lines(ours)
        found[f"lines of every package in {what} import closure, without exercises"] = lines(paths)
    found["modules of lessonkit.teach in a learner's kernel"] = len(
        [one for one in loaded if "teach" in one.split(".")]
    )
    found["modules of ours in a learner's kernel after a check"] = len(loaded)
    found["lines of ours in a learner's kernel after a check"] = lines(
        [path for path in map(module_file, loaded) if path]
    )
    found["entries in course_utils/"] = len(entries)
    found["imports from lessonkit or torch_clinic to course_utils"] = len(
        against("lessonkit", "course_utils") + against("torch_clinic", "course_utils")
    )
    found["imports from course_utils or the engine to lessonkit.teach"] = len(
        [one for one in against("course_utils", "lessonkit/teach")]
        + [one for one in against("lessonkit", "lessonkit/teach") if not one.startswith("lessonkit/teach")]
    )
    found["lines of README"] = lines([PROJECT / "README.md"])
    return found


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--json", action="store_true")
    found = measures()
    if parser.parse_args().json:
        print(json.dumps(found, indent=1))
    else:
        for name, value in found.items():
            print(f"{value:8,}  {name}")


if __name__ == "__main__":
    main()
