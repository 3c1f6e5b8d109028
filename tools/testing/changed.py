"""Chooses what `make test` runs: the chapters and test files whose outcome a change may have altered.

    plan = choose(PROJECT, since="main")     what to run, and one line for each thing that is left out
    keep(PROJECT, plan, passed)              what has passed, for the next time, in build/passed.json

    python tools/testing/changed.py build/tests/*.xml    keep the seconds of each test file in seconds.json, after
                                                         `make test-all`: what `--plan` adds up

A chapter or a test file is left out for one of two reasons. Either no file that it depends on (depends.py) differs
from a commit that is known to be good: the one that `--since` or COURSE_BASE names, or else the one where this
branch leaves main, as every commit of main has passed. Or it has passed on this machine with exactly these files
and packages; a digest of both is in build/passed.json. Where neither is known, as in a fresh clone or in CI
(CI=true), everything runs.

A test file that depends on chapters, and of which only these have changed, is run for their cases alone
(chosen.py). When more than FEW chapters are concerned, everything runs.
"""

import argparse
import hashlib
import importlib.metadata
import json
import os
import platform
import shutil
import subprocess
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import depends
from chosen import BY_EXERCISE

FEW = 4
MAIN = ("upstream/main", "origin/main", "main")
RECORD = Path("build", "passed.json")
SECONDS = Path(__file__).resolve().parent / "seconds.json"  # of each test file, and of the lint
EXECUTING = ("notebooks", "imitated", "core")  # the steps that execute chapters
FOLDERS = {"faults": "tests/faults/", "site": "tests/web/", "browser": "tests/browser/"}
PROGRAMS = ("chromium", "shellcheck", "bwrap", "node")  # without which tests are skipped
REST = ""  # the part of a unit's files that belongs to no chapter


@dataclass
class Plan:
    """What to run; `chapters` by step, `tests` by step, `only` the chapters whose cases a test file is run for."""

    chapters: dict[str, list[str]] = field(default_factory=dict)
    tests: dict[str, list[str]] = field(default_factory=dict)
    only: dict[str, list[str]] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    parts: dict[str, dict[str, str]] = field(default_factory=dict)  # digests of every unit's parts

    def steps(self, names):
        """Those of the steps that have something to do; the lint always has."""
        return [name for name in names if name == "lint" or self.chapters.get(name) or self.tests.get(name)]


@dataclass(frozen=True)
class Base:
    """A commit that is known to be good, and why."""

    commit: str
    why: str


def find_base(root, since=None):
    """The commit to compare with, None where none is known to be good; SystemExit for a name of nothing."""
    for name, said in ((since, "--since"), (os.environ.get("COURSE_BASE"), "COURSE_BASE")):
        if name:
            try:
                commit = depends.git(root, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}").strip()
            except subprocess.CalledProcessError:
                raise SystemExit(
                    f"{said} names {name}: expected a commit, a branch or a tag of this clone."
                ) from None
            return Base(commit, f"{said} names it")
    if os.environ.get("CI"):
        return None
    for name in MAIN:
        try:
            branch = depends.git(root, "rev-parse", "--abbrev-ref", "HEAD").strip()
            commit = depends.git(root, "merge-base", name, "HEAD").strip()
        except (subprocess.CalledProcessError, FileNotFoundError):
            continue
        if name == branch:
            continue
        if differences(root, commit)[0]:  # none in a fresh clone, of which nothing is known
            return Base(commit, f"there this branch leaves {name}")
    return None


def differences(root, commit):
    """(paths that differ between a commit and the folder as it is, those of them that are gone)."""
    words = depends.git(root, "diff", "--name-status", "--no-renames", "-z", commit, "--").split("\0")
    differ = dict(zip(words[1::2], words[::2], strict=False))
    untracked = depends.git(root, "ls-files", "-z", "--others", "--exclude-standard").split("\0")
    gone = {path for path, state in differ.items() if state == "D"} - set(untracked)
    return set(differ) | set(filter(None, untracked)), gone


def choose(root, *, since=None, record=None):
    """A Plan for the folder `root`; `record` is what build/passed.json holds, unless it is given."""
    root = Path(root)
    if not _under_git(root):
        return _whole(depends.Tree(root, _walked(root)), "there is no git here to say what changed")
    base = find_base(root, since)
    differ, gone = differences(root, base.commit) if base else (None, set())
    tree = depends.Tree.of(root, gone)
    units = _units(tree)
    digests = {name: _digests(tree, files) for name, files in units.items()}
    record = read(root) if record is None else record
    needed = {
        name: _needed(tree, files, digests[name], differ, record.get(name, {})) for name, files in units.items()
    }
    executed = {name.partition(":")[2] for name, parts in needed.items() if ":" in name and parts}
    if base is None and not record:
        return _whole(tree, "nothing is known of an earlier run here", digests)
    if len(executed) > FEW:
        return _whole(tree, f"{len(executed)} chapters are concerned, which is more than {FEW}", digests)
    if all(needed.values()):
        return _whole(tree, "every chapter and test depends on what changed", digests)
    plan = _part(tree, needed, digests, base)
    if unseen := sorted((differ or set()) - set().union(*units.values())):
        plan.told.append(f"No chapter and no test depends on {', '.join(unseen)}; only the lint may look at it.")
    plan.told.append("`make test-all` runs everything.")
    return plan


def everything(root):
    """A Plan that runs everything, with the digests by which `keep` notes what has passed."""
    tree = depends.Tree.of(root) if _under_git(Path(root)) else depends.Tree(root, _walked(Path(root)))
    return _whole(tree, "it was asked for", {name: _digests(tree, files) for name, files in _units(tree).items()})


def _part(tree, needed, digests, base):
    plan = Plan(parts=digests)
    for step in EXECUTING:
        candidates = _executed(tree, step)
        plan.chapters[step] = [name for name in candidates if needed[f"{step}:{name}"]]
    for path in tree.tests:
        if parts := needed[path]:
            plan.tests.setdefault(step_of(path), []).append(path)
            if REST not in parts:
                plan.only[path] = sorted(parts)
    unchanged = (
        f"none of the files that they depend on has changed since {base.commit[:7]}, and {base.why}" if base else ""
    )
    passed = "they passed here with the same files"
    reason = f"either {unchanged}, or {passed}" if base else passed
    chapters = plan.chapters["notebooks"]
    out = len(tree.chapters) - len(chapters)
    if out:
        plan.told.append(f"{out} of {len(tree.chapters)} chapters are left out: {reason}.")
    if chapters:
        plan.told.append(f"These chapters are executed: {', '.join(chapters)}.")
    taken = sum(map(len, plan.tests.values()))
    plan.told.append(f"{len(tree.tests) - taken} of {len(tree.tests)} test files are left out for the same reason.")
    if plan.only:
        slugs = sorted(set().union(*plan.only.values()))
        plan.told.append(
            f"Of {len(plan.only)} test files only the cases of {', '.join(slugs)} are run, if they have such."
        )
    return plan


def _whole(tree, why, digests=None):
    plan = Plan(parts=digests or {}, told=[f"Everything runs: {why}."])
    plan.chapters = {step: _executed(tree, step) for step in EXECUTING}
    for path in tree.tests:
        plan.tests.setdefault(step_of(path), []).append(path)
    return plan


def _executed(tree, step):
    """The chapters of a step: the imitated processor executes the first one."""
    return tree.chapters[:1] if step == "imitated" else tree.chapters


def step_of(path):
    """The step that runs a test file."""
    return next((step for step, folder in FOLDERS.items() if path.startswith(folder)), "unit")


def _units(tree):
    """The files that each chapter of each step (`core:05_training`) and each test file depends on."""
    found = {f"{step}:{name}": tree.chapter(name) for step in EXECUTING for name in _executed(tree, step)}
    return found | {path: tree.closure(path) | tree.shared for path in tree.tests}


def _needed(tree, files, digests, differ, passed):
    """The parts of a unit to run: REST, then it is run whole, or some chapters; none, then it is left out."""
    found = {part for part, digest in digests.items() if passed.get(part) != digest}
    if differ is not None:
        found &= {tree.slug(path) or REST for path in files & differ}
    return found


def _digests(tree, files):
    """A digest for each part of a unit's files: REST, with the packages of this Python, and each chapter's."""
    parts = {REST: [ground()]}
    for path in sorted(files):
        parts.setdefault(tree.slug(path) or REST, []).append(f"{path} {_content(tree.root / path)}")
    return {part: hashlib.sha256("\n".join(lines).encode()).hexdigest()[:20] for part, lines in parts.items()}


@cache
def _content(path):
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "gone"


@cache
def ground():
    """What else an outcome depends on: system, Python, packages, programs, the user, where data are looked for."""
    packages = sorted({f"{one.name} {one.version}" for one in importlib.metadata.distributions()})
    there = [name for name in PROGRAMS if shutil.which(name)]
    user = "root" if getattr(os, "getuid", lambda: 1)() == 0 else "user"
    named = [f"{name}={os.environ.get(name, '')}" for name in ("COURSE_DATA", "COURSE_OFFLINE", "COURSE_BROWSER")]
    return "\n".join([platform.platform(), platform.python_version(), user, *packages, *there, *named])


def read(root):
    """What has passed: digests of parts, by unit. Nothing of a file that is not there or that is broken."""
    try:
        found = json.loads((Path(root) / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def keep(root, plan, passed):
    """Note the units `passed`, of those that ran, with the digests that their files had when the run began."""
    record = read(root)
    for name in passed & plan.parts.keys():
        now, before = plan.parts[name], record.get(name, {})
        if name in plan.only:
            # Its other cases have passed with these files only if the rest of the files is what it was then.
            kept = before if before.get(REST) == now[REST] else {}
            record[name] = kept | {part: now[part] for part in plan.only[name]}
        else:
            record[name] = now
    path = Path(root) / RECORD
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(dict(sorted(record.items())), indent=0), encoding="utf-8")


def seconds(plan, durations, cores):
    """Seconds that each step of a plan will take by what is on record, and the test files without a record.

    `durations` are those of one pass of each chapter. A step's work is divided among the cores, but no chapter is.
    """
    there = json.loads(SECONDS.read_text(encoding="utf-8")) if SECONDS.exists() else {}
    found, unknown = {"lint": there.get("lint", 0)}, []
    passes = {"notebooks": 2, "core": 1, "imitated": 1}
    for step, names in plan.chapters.items():
        each = [passes[step] * durations[name] for name in names]
        found[step] = max([sum(each) / (1 if step == "imitated" else cores), *each], default=0)
    for step, paths in plan.tests.items():
        unknown += [path for path in paths if path not in there]
        each = [there.get(path, 0) * _share(plan, path) for path in paths]
        found[step] = sum(each) if step == "browser" else max([sum(each) / cores, *each], default=0)
    return found, unknown


def _share(plan, path):
    """The share of a file's cases that are run, where they are parametrized by chapter."""
    chapters = len([part for part in plan.parts[path] if part != REST])
    return len(plan.only[path]) / chapters if path in plan.only and Path(path).name in BY_EXERCISE else 1


def keep_seconds(records):
    """Keep the seconds of each test file from pytest's records; those of other files stay as they are."""
    there = json.loads(SECONDS.read_text(encoding="utf-8")) if SECONDS.exists() else {}
    found = {}
    for record in records:
        for case in ElementTree.parse(record).getroot().iter("testcase"):
            path = case.get("classname", "").replace(".", "/") + ".py"
            if path.startswith("tests/"):
                found[path] = found.get(path, 0) + float(case.get("time"))
    there |= {path: round(took, 1) for path, took in found.items()}
    SECONDS.write_text(json.dumps(dict(sorted(there.items())), indent=1) + "\n", encoding="utf-8")


def _under_git(root):
    return bool(shutil.which("git")) and (root / ".git").exists()


def _walked(root):
    skipped = {".venv", "build", "work", "__pycache__", "results"}
    for path in root.rglob("*"):
        if path.is_file() and not skipped & set(path.relative_to(root).parts):
            yield path.relative_to(root).as_posix()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("records", nargs="+", metavar="XML", help="what pytest has written, of whole test files")
    keep_seconds(parser.parse_args().records)


if __name__ == "__main__":
    main()
