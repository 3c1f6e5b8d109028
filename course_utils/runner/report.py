"""The report of a run: what is written after every chapter, read back by `--resume`, and shown at the end."""

import json
import re
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from course_utils.notebook.catalog import Chapter, Refused
from course_utils.runner import report_page
from course_utils.runner.process import NOTHING

NAME = "report.json"
PACKAGES = ("torch", "torchvision", "numpy", "papermill", "nbclient", "ipykernel", "jupyterlab", "matplotlib")


class Report:
    """What is known of a run so far, kept in `out` as report.json and report.html.

    A chapter that has not ended counts as `interrupted`, so that a run that is broken off, however hard,
    leaves a true report.
    """

    def __init__(
        self, out: Path, chapters: list[Chapter], *, answers: str, profile: str, device: str, machine: dict
    ):
        self.out = Path(out)
        self.began = time.monotonic()
        self.before = 0.0  # seconds of the run that this one goes on with
        self.sources = {chapter.name: chapter for chapter in chapters}
        self.entries = {chapter.name: _not_run(chapter.name) for chapter in chapters}
        self.head = {
            "answers": answers,
            "profile": profile,
            "device": device,
            "versions": versions(),
            "machine": machine,
        }

    def add(self, entry: dict) -> None:
        """Takes in a chapter's entry and writes both files."""
        entry = {**entry, "data": data_used(self.sources[entry["name"]].path)}
        self.entries[entry["name"]] = {key: entry[key] for key in _not_run("")}
        self.save()

    def keep_passed(self, earlier: dict) -> list[Chapter]:
        """Takes over what had passed in an earlier report; returns the chapters that remain to be run.

        A chapter whose notebook has changed since is run again.
        """
        self.before = earlier["wall_seconds"]
        since = (self.out / NAME).stat().st_mtime
        for entry in earlier["chapters"]:
            source = self.sources.get(entry["name"])
            if source and entry["status"] == "passed" and source.path.stat().st_mtime < since:
                self.entries[entry["name"]] = entry
        return [source for name, source in self.sources.items() if self.entries[name]["status"] != "passed"]

    def contents(self) -> dict:
        """The report as it stands in report.json."""
        wall = round(self.before + time.monotonic() - self.began, 2)
        return {"chapters": list(self.entries.values()), "wall_seconds": wall, **self.head}

    def passed(self) -> bool:
        return all(entry["status"] == "passed" for entry in self.entries.values())

    def save(self) -> None:
        """Writes report.json and report.html, each beside and then renamed: never half a file."""
        contents = self.contents()
        self.out.mkdir(parents=True, exist_ok=True)
        _write(self.out / NAME, json.dumps(contents, indent=2, ensure_ascii=False) + "\n")
        _write(self.out / "report.html", report_page.render(contents, self.out))


def earlier(out: Path, *, answers: str, profile: str, device: str) -> dict:
    """The report in `out`, to go on with.

    Raises `Refused` when there is none, it cannot be read, or it was made with other settings.
    """
    path = Path(out) / NAME
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise Refused(f"nothing to resume: there is no {path}") from None
    except (OSError, ValueError) as error:
        raise Refused(f"cannot resume: {path} is not a readable report ({error}); run without --resume") from error
    for name, wanted in (("answers", answers), ("profile", profile), ("device", device)):
        if found[name] != wanted:
            raise Refused(
                f"cannot resume with {name} {wanted}: {path} was made with {name} {found[name]}; "
                "use the same, or run without --resume"
            )
    return found


def versions() -> dict[str, str]:
    """Versions of the course and of the packages that decide what a chapter shows."""
    found = {}
    for package in ("course-utils", *PACKAGES):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def data_used(notebook: Path) -> dict[str, str]:
    """Which source (`"full"` or `"sample"`) each data set that a notebook loads comes from.

    Found by name in the notebook's source (`load("mnist"`), then asked of `datasets.available`, which decides as
    `load` did a moment ago: the notebook need not print anything in a set form. `"none"` and `"damaged"` occur
    where `load` has failed.
    """
    from course_utils import datasets

    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells)
    found = {}
    for name in dict.fromkeys(re.findall(r"""\b(?:load|folder|unpack)\(\s*["'](\w+)["']""", text)):
        if name in datasets.names():
            try:
                found[name] = datasets.available(name)[0]
            except datasets.DataError:
                found[name] = "damaged"
    return found


def _not_run(name: str) -> dict:
    return {"name": name, "status": "interrupted", "seconds": 0.0, **NOTHING, "data": {}, "error": "not run"}


def _write(path: Path, text: str) -> None:
    beside = path.with_name(path.name + ".part")
    beside.write_text(text, encoding="utf-8", newline="\n")
    beside.replace(path)
