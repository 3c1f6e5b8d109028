"""`make test` runs what a change may alter: one change at a time in a toy, and here nothing goes unseen."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import changed
import chosen
import depends
import pytest

from course_utils import PROJECT

ALL = ["01_nets", "02_training", "03_text", "04_gpu", "05_speed", "06_clinic"]
RECORD = "from course_utils.exercises import {slug} as ex\nfrom course_utils import shared\n"
FILES = {
    ".gitignore": "build/\n",
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["tests/helpers"]\n'
    '[project.entry-points."lessonkit.commands"]\nslides = "lessonkit.teach.slides.deck:command"\n',
    "course.toml": '[hooks]\ndata = "course_utils.sets"\nletters = "course_utils.cases:find"\n',
    "requirements.txt": "torch==2.0\n",
    "README.md": "A toy.\n",
    "docs/room.md": "A room.\n",
    "scripts/train.py": "from course_utils import shared\n",
    "data/samples/digits.bin": "0\n",
    "tools/testing/all.py": "import doubled\nfrom lessonkit.notebook import cells\n",
    "tools/testing/doubled.py": "",
    "tools/links.py": "",
    "course_utils/__init__.py": "",
    "course_utils/leaf.py": "",
    "course_utils/sets.py": "",
    "course_utils/cases.py": "",
    "course_utils/shared.py": "from lessonkit.checks import compare\n",
    "lessonkit/checks/__init__.py": "",
    "lessonkit/checks/compare.py": "",
    "lessonkit/notebook/__init__.py": "",
    "lessonkit/notebook/cells.py": "",
    "lessonkit/notebook/catalog.py": 'NOTEBOOKS = PROJECT / "notebooks"\ndef find(folder=NOTEBOOKS): ...\n'
    'letters = hook("letters")\n',
    "lessonkit/doctor.py": 'data = hook("data")\n',
    "lessonkit/cases.toml": "",
    "lessonkit/runner/__init__.py": "",
    "lessonkit/runner/run.py": 'CHILD = ["-m", "lessonkit.runner.child"]\n',
    "lessonkit/runner/child.py": "",
    "lessonkit/teach/slides/__init__.py": "",
    "lessonkit/teach/slides/deck.py": "",
    "lessonkit/teach/slides/deck.html.j2": "",
    "course_utils/exercises/__init__.py": "",
    "tests/conftest.py": "from course_utils import PROJECT\n",
    "tests/helpers/toys.py": "",
    "tests/test_leaf.py": "def test():\n    from course_utils import leaf\n",
    "tests/test_shared.py": "import toys\n\nimport course_utils.shared\n",
    "tests/test_room.py": 'from course_utils import PROJECT\nTEXT = PROJECT / "docs" / "room.md"\n',
    "tests/test_run.py": 'PROGRAM = """\nfrom lessonkit.runner import run\n"""\n',
    "tests/lessonkit/teach/slides/conftest.py": "",
    "tests/lessonkit/teach/slides/test_deck.py": "from lessonkit.teach.slides import deck\n",
    "tests/lessonkit/teach/slides/test_real.py": "from lessonkit.notebook.catalog import find\nCHAPTERS = find()\n",
    "tests/faults/test_pages.py": 'from course_utils import PROJECT\nNAMES = ("README.md", "docs/room.md")\n'
    "PAGES = [PROJECT / name for name in NAMES]\n",
    "tests/helpers/content.py": 'from course_utils import PROJECT\nANSWERS = PROJECT / "answers"\n',
    "tests/content/test_bank.py": "import content\nimport course_utils.exercises\n",
    "answers/nets/relu.py": "# %% wrong_sign: A sign.\n",
    "answers/equivalent_mutants.toml": "",
    "tests/test_command.py": "def test(course):\n    course('slides', '01')\n",
    "tests/test_doctor.py": "from lessonkit import doctor\n",
    "tests/tools/test_links.py": "import links\n",
}
EXERCISE = "from lessonkit.checks.compare import difference\n"


def git(root, *words):
    named = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *named, *words], cwd=root, check=True, capture_output=True)


def write(root, **files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def book(source):
    return json.dumps({"cells": [{"cell_type": "code", "source": source}]})


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """A course of six chapters under git, committed once; nothing of it has run."""
    for name in ("CI", "COURSE_BASE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(changed, "ground", lambda: "this machine")
    root = tmp_path / "toy"
    write(root, **FILES)
    for name in ALL:
        slug = name[3:]
        source = RECORD.format(slug=slug)
        source += "from course_utils import leaf\n" if slug == "nets" else ""
        source += "%matplotlib inline\n!ls\nrun('train.py')\n" if slug == "training" else ""
        source += "(path,) = (PROJECT / 'notebooks').glob(f'{number}_*.ipynb')\n" if slug == "text" else ""
        package = f"course_utils/exercises/{slug}"
        together = f"from course_utils.exercises.{slug} import answers\n"
        write(root, **{f"{package}/__init__.py": together, f"{package}/answers.py": EXERCISE})
        write(root, **{f"notebooks/{name}.ipynb": book(source)})
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message=all")
    yield root
    changed._content.cache_clear()


def chosen_after(root, path, text="# changed\n", *, since="HEAD"):
    """The plan after one file was changed, or deleted where `text` is None."""
    if text is None:
        (root / path).unlink()
    else:
        write(root, **{path: text})
    return changed.choose(root, since=since)


def taken(plan):
    return sorted(path for paths in plan.tests.values() for path in paths)


EVERY_TEST = sorted(path for path in FILES if Path(path).match("test_*.py"))
BANK, REAL = "tests/content/test_bank.py", "tests/lessonkit/teach/slides/test_real.py"
CHANGES = {
    # What was changed: the chapters that are executed, the test files that run.
    "a leaf module": ("course_utils/leaf.py", ["01_nets"], [REAL, "tests/test_leaf.py"]),
    "a module for a test alone": (
        "lessonkit/teach/slides/deck.py",
        [],
        ["tests/lessonkit/teach/slides/test_deck.py", "tests/test_command.py"],
    ),
    "a template beside a module": (
        "lessonkit/teach/slides/deck.html.j2",
        [],
        ["tests/lessonkit/teach/slides/test_deck.py", "tests/test_command.py"],
    ),
    "data beside a package that does nothing": ("lessonkit/cases.toml", [], ["tests/test_doctor.py"]),
    "the module of a hook": ("course_utils/sets.py", [], ["tests/test_doctor.py"]),
    "the module of the hook that is not followed": ("course_utils/cases.py", [], []),
    "one notebook": ("notebooks/02_training.ipynb", ["02_training"], [REAL]),
    "an exercise": ("course_utils/exercises/gpu/answers.py", ["04_gpu"], [BANK, REAL]),
    "an answer": ("answers/nets/relu.py", [], [BANK]),
    "a new answer": ("answers/gpu/new.py", [], [BANK]),
    "a new test": ("tests/test_new.py", [], ["tests/test_new.py"]),
    "a script": ("scripts/train.py", ["02_training"], [REAL]),
    "a page": ("docs/room.md", [], ["tests/faults/test_pages.py", "tests/test_room.py"]),
    "a conftest of one folder": (
        "tests/lessonkit/teach/slides/conftest.py",
        [],
        ["tests/lessonkit/teach/slides/test_deck.py", REAL],
    ),
    "a helper of tests": ("tests/helpers/toys.py", [], ["tests/test_shared.py"]),
    "a tool": ("tools/links.py", [], ["tests/tools/test_links.py"]),
    "what nobody reads": ("notes.txt", [], []),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_takes_what_depends_on_it_and_nothing_else(toy, what):
    path, chapters, tests = CHANGES[what]
    text = book("from course_utils.exercises import training as ex") if path.endswith("ipynb") else "# changed\n"
    plan = chosen_after(toy, path, text)
    assert (plan.chapters["notebooks"], taken(plan)) == (chapters, sorted(tests))
    assert plan.chapters["core"] == chapters and plan.chapters["imitated"] == [
        one for one in chapters if one == ALL[0]
    ]
    assert ("notes.txt" in "\n".join(plan.told)) == (path == "notes.txt")
    assert plan.told[-1] == "`make test-all` runs everything."


SHARED = [
    "requirements.txt",
    "pyproject.toml",
    "course.toml",
    "tests/conftest.py",
    "tools/testing/all.py",
    "tools/testing/doubled.py",
]
MACHINERY = ["course_utils/shared.py", "lessonkit/checks/compare.py", "lessonkit/notebook/cells.py"]
MACHINERY += ["lessonkit/runner/child.py", "course_utils/__init__.py", "data/samples/digits.bin"]


@pytest.mark.parametrize("path", SHARED + MACHINERY)
def test_what_more_than_a_few_chapters_depend_on_runs_everything(toy, path):
    plan = chosen_after(toy, path, FILES[path] + "\n")
    assert plan.chapters == {"notebooks": ALL, "core": ALL, "imitated": ALL[:1]}
    assert taken(plan) == EVERY_TEST and not plan.only
    assert plan.told[0].startswith("Everything runs: ")


def test_a_file_that_is_gone_is_a_change_for_those_who_still_want_it(toy):
    plan = chosen_after(toy, "course_utils/leaf.py", None)
    assert plan.chapters["notebooks"] == ["01_nets"] and "tests/test_leaf.py" in taken(plan)
    plan = chosen_after(toy, "tests/test_leaf.py", None)
    assert plan.chapters["notebooks"] == ["01_nets"] and taken(plan) == [REAL]
    plan = chosen_after(toy, "notebooks/01_nets.ipynb", None)
    assert plan.chapters["notebooks"] == [] and taken(plan) == [REAL]


def test_of_a_file_that_chapters_alone_have_changed_their_cases_are_run(toy):
    assert chosen_after(toy, "answers/nets/relu.py").only == {BANK: ["nets"]}
    assert chosen_after(toy, "course_utils/exercises/gpu/answers.py").only[BANK] == ["gpu", "nets"]
    assert BANK not in chosen_after(toy, BANK, FILES[BANK] + "\n").only


def test_nothing_is_left_out_where_nothing_is_known(toy, monkeypatch):
    assert changed.choose(toy).told == ["Everything runs: nothing is known of an earlier run here."]
    git(toy, "checkout", "--quiet", "-b", "mine")
    assert changed.find_base(toy) is None  # nothing has changed since: a fresh clone looks like that
    write(toy, **{"course_utils/leaf.py": "# changed\n"})
    assert "leaves main" in changed.find_base(toy).why
    assert changed.choose(toy).chapters["notebooks"] == ["01_nets"]
    monkeypatch.setenv("CI", "true")
    assert changed.find_base(toy) is None and changed.choose(toy).chapters["notebooks"] == ALL
    monkeypatch.setenv("COURSE_BASE", "main")
    assert changed.choose(toy).chapters["notebooks"] == ["01_nets"]
    monkeypatch.setenv("COURSE_BASE", "nowhere")
    with pytest.raises(SystemExit, match="COURSE_BASE names nowhere: expected a commit"):
        changed.choose(toy)


def test_a_folder_without_git_is_run_whole(toy, monkeypatch):
    monkeypatch.setattr(changed.shutil, "which", lambda name: None)
    assert taken(changed.choose(toy)) == EVERY_TEST


def units(plan):
    return {f"{step}:{name}" for step, names in plan.chapters.items() for name in names} | set(taken(plan))


def again(root, plan, *failed):
    """What is chosen when all of a plan but `failed` has passed."""
    changed.keep(root, plan, units(plan) - set(failed))
    changed._content.cache_clear()
    return changed.choose(root)


def test_what_has_passed_here_is_left_out_until_its_files_change(toy):
    plan = again(toy, changed.choose(toy), "tests/test_leaf.py", "core:03_text")
    assert units(plan) == {"tests/test_leaf.py", "core:03_text"}
    assert plan.steps(["lint", "unit", "notebooks", "core"]) == ["lint", "unit", "core"]
    plan = again(toy, plan)
    assert plan.steps(["lint", "unit", "notebooks", "core"]) == ["lint"]
    write(toy, **{"answers/nets/relu.py": "# changed\n"})
    changed._content.cache_clear()
    plan = changed.choose(toy)
    assert (units(plan), plan.only) == ({BANK}, {BANK: ["nets"]})
    assert units(again(toy, plan)) == set()
    write(toy, **{"answers/nets/relu.py": FILES["answers/nets/relu.py"]})
    changed._content.cache_clear()
    assert units(changed.choose(toy)) == {BANK}, "only the last outcome is known"


def test_what_passed_when_everything_ran_is_left_out_too(toy):
    plan = changed.everything(toy)
    assert taken(plan) == EVERY_TEST and plan.chapters["notebooks"] == ALL
    assert units(again(toy, plan, REAL)) == {REAL}


def test_cases_of_a_chapter_that_passed_say_nothing_of_a_file_whose_rest_never_did(toy):
    plan = chosen_after(toy, "answers/nets/relu.py")
    changed.keep(toy, plan, units(plan))
    assert set(changed.read(toy)[BANK]) == {"nets"}
    assert BANK in taken(changed.choose(toy)) and BANK not in changed.choose(toy).only


def test_other_packages_and_a_broken_record_are_as_nothing_known(toy, monkeypatch):
    plan = changed.choose(toy)
    changed.keep(toy, plan, units(plan))
    monkeypatch.setattr(changed, "ground", lambda: "another machine")
    assert units(changed.choose(toy)) == units(plan)
    (toy / changed.RECORD).write_text("{", encoding="utf-8")
    assert changed.choose(toy).told == ["Everything runs: nothing is known of an earlier run here."]


def test_the_seconds_of_a_plan_are_those_on_record(toy, monkeypatch, tmp_path):
    monkeypatch.setattr(changed, "SECONDS", tmp_path / "seconds.json")
    record = tmp_path / "unit.xml"
    case = '<testcase classname="{}" name="a" time="{}"/>'
    cases = [
        case.format("tests.test_leaf", 3),
        case.format("tests.test_leaf", 5),
        case.format("tests.lessonkit.teach.slides.test_real", 2),
    ]
    record.write_text(f"<testsuites><testsuite>{''.join(cases)}</testsuite></testsuites>", encoding="utf-8")
    changed.keep_seconds([record])
    assert json.loads(changed.SECONDS.read_text(encoding="utf-8")) == {REAL: 2.0, "tests/test_leaf.py": 8.0}
    plan = chosen_after(toy, "course_utils/leaf.py")
    found, unknown = changed.seconds(plan, dict.fromkeys(ALL, 30), 2)
    assert found == {"lint": 0, "unit": 8, "notebooks": 60, "core": 30, "imitated": 30}
    assert unknown == []
    assert changed.seconds(chosen_after(toy, "tests/test_new.py"), dict.fromkeys(ALL, 30), 2)[1] == [
        "tests/test_new.py"
    ]


@pytest.mark.parametrize(
    ("parameter", "by_exercise", "slug"),
    [
        ("05_training", False, "training"),
        ("05_training.ipynb", False, "training"),
        (SimpleNamespace(slug="text"), False, "text"),
        (Path("notebooks/05_training.ipynb"), False, "training"),
        ("text", False, None),
        ("training.train_step", False, None),
        ("training.train_step", True, "training"),
        (SimpleNamespace(exercise="text.attend"), True, "text"),
        (Path("answers/nets/relu.py"), True, "nets"),
        ("wrong: an adverb", True, None),
        (5, True, None),
    ],
)
def test_the_chapter_of_a_case_is_told_by_its_parameter(parameter, by_exercise, slug):
    assert chosen.chapter_of(parameter, by_exercise=by_exercise) == slug


CASES = """
import pytest

@pytest.mark.parametrize("chapter", ["01_nets", "02_training", "a word"])
def test_each(chapter):
    pass

def test_of_none():
    pass
"""


def test_cases_of_other_chapters_are_left_out(tmp_path, monkeypatch, project):
    (tmp_path / "test_cases.py").write_text(CASES, encoding="utf-8")
    (tmp_path / "test_others.py").write_text(CASES, encoding="utf-8")
    monkeypatch.setenv("COURSE_ONLY", json.dumps({"test_cases.py": ["nets"]}))
    monkeypatch.setenv("PYTHONPATH", str(project / "tools" / "testing"))
    command = ["-m", "pytest", "-p", "chosen", "-p", "no:cacheprovider", "-q", f"--rootdir={tmp_path}", "."]
    done = subprocess.run([sys.executable, *command], cwd=tmp_path, capture_output=True, text=True)
    assert "7 passed, 1 deselected" in done.stdout, done.stdout + done.stderr


@pytest.fixture(scope="module")
def tree():
    return depends.Tree.of(PROJECT)


@pytest.fixture(scope="module")
def closures(tree):
    """What each test file depends on, without those that look through the whole project."""
    # This file names modules of a toy, some of which are called as some of the course are.
    found = {path: tree.closure(path) for path in tree.tests if not path.endswith("/test_changed.py")}
    return {path: files for path, files in found.items() if len(files) < 0.8 * len(tree.files)}


# Modules that no test imports and no chapter runs: each with the reason why nothing has to.
UNREACHED = {}


def test_every_module_is_reached_by_a_test_or_a_chapter(tree, closures):
    reached = set().union(*closures.values(), *map(tree.chapter, tree.chapters))
    assert sorted(set(tree.modules.values()) - reached) == sorted(UNREACHED)


def test_every_test_file_and_chapter_is_in_a_step_and_every_folder_of_packages_is_known(tree):
    plan = changed._whole(tree, "all")
    assert sorted(path for paths in plan.tests.values() for path in paths) == tree.tests
    assert set(plan.tests) == {"unit", *changed.FOLDERS} and plan.chapters["notebooks"] == tree.chapters
    found = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    assert {name.rstrip("*") for name in found["packages"]["find"]["include"]} <= set(depends.PACKAGES)


def test_what_chapters_share_concerns_each_and_a_chapter_of_one_room_only_itself(tree):
    for module in ("checks/compare.py", "notebook/solutions.py", "runner/worker.py"):
        (path,) = (path for path in tree.modules.values() if path.endswith(f"/{module}"))
        assert all(path in tree.chapter(name) for name in tree.chapters), path
    (path,) = (path for path in tree.modules.values() if path.endswith("chapters/tensors.py"))
    assert [name for name in tree.chapters if path in tree.chapter(name)] == ["01_tensors"]
    # 00 starts `course doctor`, so whatever a command of the engine names concerns it too.
    concerned = [name for name in tree.chapters if "scripts/train_ddp.py" in tree.chapter(name)]
    assert concerned == ["00_start_here", "10_multi_gpu"]
