"""Copy the part of the course that a submission may see: the questions, without references, mistakes and hints.

No chapter's `answers.py` and no notebook is copied. Of the engine, only the modules that run an answer are.
"""

import ast
import shutil
from pathlib import Path

from lessonkit.system.course import course, package_folder
from lessonkit.system.errors import Refused
from lessonkit.system.place import PROJECT, SETTINGS

_ANSWERS = ("answers.py", "answers")  # the module of a chapter's answers, or the folder
_ENGINE = ("checks", "system")  # folders of the engine that a submission's process needs
_INSIDE = (
    "__init__",
    "child",
    "front_end",
    "protocol",
    "resources",
    "run_answer",
)  # modules of this folder that run there
DATA = ("data/samples", "data/recorded")  # what a cell above an exercise may load


def make_tree(folder: Path) -> Path:
    """Write into `folder` what a submission may see of the course; return the folder.

    Raises `Refused` for a course whose questions do not stand apart from their answers.
    """
    package, engine = package_folder(course().package), package_folder("lessonkit")
    shutil.copytree(
        package, folder / package.name, ignore=shutil.ignore_patterns(*_ANSWERS, "__pycache__", "content")
    )
    _show_questions(folder.joinpath(*course().exercises.split(".")))
    for room in _ENGINE:
        shutil.copytree(engine / room, folder / "lessonkit" / room, ignore=shutil.ignore_patterns("__pycache__"))
    here = Path("teach", "room", "sandbox")
    (folder / "lessonkit" / here).mkdir(parents=True)
    packages = [parent / "__init__.py" for parent in here.parents]
    for name in [*packages, *(here / f"{name}.py" for name in _INSIDE)]:
        shutil.copy(engine / name, folder / "lessonkit" / name)
    for name in DATA:
        if (PROJECT / name).is_dir():
            shutil.copytree(PROJECT / name, folder / name)
    shutil.copy(PROJECT / SETTINGS, folder / SETTINGS)
    for path in [folder, *folder.rglob("*")]:  # where root grades, another user reads it
        path.chmod(0o755 if path.is_dir() else 0o644)
    return folder


def _show_questions(exercises: Path) -> None:
    """Let each chapter's package bring the names of questions.py: its own `__init__` asks for answers too."""
    whole = [path for path in exercises.glob("*.py") if path.name != "__init__.py"]
    whole += [path for path in exercises.glob("*/__init__.py") if not path.with_name("questions.py").is_file()]
    if whole:
        names = ", ".join(sorted(path.relative_to(exercises).as_posix() for path in whole))
        raise Refused(
            f"{names} in {exercises.name} holds questions and answers in one file, which no "
            "submission may see: make it a folder with questions.py and answers.py"
        )
    for path in sorted(exercises.glob("*/questions.py")):
        names = sorted(set().union(*map(_bound, ast.parse(path.read_text(encoding="utf-8")).body)))
        package = f"{course().exercises}.{path.parent.name}"
        text = f'"""Questions without their answers."""\n\nfrom {package}.questions import {", ".join(names)}\n'
        path.with_name("__init__.py").write_text(text, encoding="utf-8")


def _bound(node: ast.stmt) -> set[str]:
    """Return the names that a statement at the top of a module binds, imports left out."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return {one.id for target in targets if target for one in ast.walk(target) if isinstance(one, ast.Name)}
