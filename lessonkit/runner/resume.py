"""Decide which chapters `course run --resume` keeps: passed with the same notebook, parameters, data and code."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from lessonkit.notebook.asserts import beside
from lessonkit.notebook.catalog import Chapter
from lessonkit.runner.result import ChapterResult
from lessonkit.system.course import course, package_folder
from lessonkit.system.place import PROJECT, SETTINGS
from lessonkit.system.versions import versions as versions_of

PACKAGES = ("torch", "torchvision", "numpy", "papermill", "nbclient", "ipykernel", "jupyterlab", "matplotlib")
CODE = "course code"  # its name among the versions
_BESIDE = {"jupyterlab"}  # in the report, but in no kernel
_FOLDERS = ("scripts", "data/recorded")  # what chapters start and read outside the packages


def versions() -> dict[str, str]:
    """Return the versions of all that decides what a chapter shows; of the course's own code a digest, too."""
    return versions_of(course().distribution, "python", *PACKAGES) | {CODE: _code()}


def digest(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal; empty for one that cannot be read, which equals no other."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def notebook_digest(path: Path) -> str:
    """Return a digest of a notebook and of its asserts; empty where the notebook cannot be read."""
    return (own := digest(path)) and hashlib.sha256(f"{own} {digest(beside(path))}".encode()).hexdigest()


def why_rerun(
    result: ChapterResult | None,
    chapter: Chapter,
    *,
    out: Path,
    parameters: Mapping[str, object],
    data: Mapping[str, str],
    then: Mapping[str, str],
    now: Mapping[str, str],
) -> str | None:
    """Return why a chapter is run, in words that follow "as"; None where its former `result` is taken over.

    `parameters` and `data`: those it would get now; `then` and `now`: the `versions` of that run and of this one.
    """
    if result is None or result.error == "not run":
        return "it had not run"
    if not result.passed:
        return {"failed": "it had failed", "timeout": "a cell had taken too long"}.get(
            result.status, f"it was {result.status}"
        )
    if not result.notebook:
        return "the report is of an older course, which did not note from which file it had run"
    if result.notebook != notebook_digest(chapter.path):
        return "its notebook has changed since"
    if found := _difference(result.parameters, json.loads(json.dumps(parameters))):
        return f"its parameters were others: {found}"
    if found := _difference(result.data, data):
        return f"its data were others: {found}"
    if not (out / f"{chapter.name}.ipynb").is_file():
        return "its executed notebook is gone"
    if then.get(CODE) != now[CODE]:
        return "the course's code has changed since"
    if found := _difference(_deciding(then), _deciding(now)):
        return f"the versions were others: {found}"
    return None


def _deciding(found):
    return {name: version for name, version in found.items() if name not in _BESIDE}


def _difference(then, now):
    """Return in words what of two tables is not the same, empty where all is."""
    names = [name for name in {**then, **now} if then.get(name) != now.get(name)]
    return ", ".join(f"{name} {then.get(name, 'not set')} then, {now.get(name, 'not set')} now" for name in names)


def _code() -> str:
    """Return a digest of the course's files that a chapter may use, or the run itself."""
    whole = hashlib.sha256()
    for name, path in sorted(_files()):
        whole.update(f"{name}\0{digest(path)}\n".encode())
    return whole.hexdigest()[:16]


def _files() -> Iterator[tuple[str, Path]]:
    yield SETTINGS, PROJECT / SETTINGS
    packages = ("lessonkit", "torch_clinic", course().package)
    folders = [(found, found.parent) for name in packages if (found := package_folder(name))]
    folders += [(PROJECT / name, PROJECT) for name in _FOLDERS]
    # No chapter and no run looks into these.
    never = {("lessonkit", name) for name in ("teach", "commands", "review")} | {(course().package, "content")}
    for folder, above in folders:
        for path in folder.rglob("*"):
            parts = path.relative_to(above).parts
            if path.is_file() and "__pycache__" not in parts and parts[:2] not in never:
                yield "/".join(parts), path
