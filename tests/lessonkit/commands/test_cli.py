"""The `course` command: what it refuses before anything runs, and what it hands on."""

import json
import re
import subprocess
import sys
from functools import cache
from importlib.metadata import EntryPoint, version
from pathlib import Path

import pytest
import toys
from toys import code, notebook, parameters

from course_utils import PROJECT
from lessonkit import cli
from lessonkit.doctor import facts, findings
from lessonkit.system.course import Course
from lessonkit.system.finding import Finding

MACHINE = facts.Facts(system="Linux", python=(3, 12, 1))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return toys.write(
        tmp_path_factory.mktemp("cli") / "notebooks",
        _00_start=notebook(parameters(), code("1")),
        _05_training=notebook(parameters('PROFILE = "quick"\nLR = 1e-4\nSIZES = [1, 2]'), code("1")),
        _11_bare=notebook(code("1")),
    )


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["99"], "no chapter called 99; there are: 00_start, 05_training, 11_bare"),
        (["00", "--set", "LR=1"], "00_start has no parameter called LR; it has: PROFILE, SEED, DEVICE"),
        (["11", "--profile", "full"], "11_bare has no parameter called PROFILE; it has: none"),
        (["00", "--set", "SEED"], "expected NAME=VALUE"),
        (["--profile", "slow"], "'slow' is not one of 'quick', 'full'"),
        (["--answers", "mine"], "'mine' is not one of 'untouched', 'solved'"),
        (["--jobs", "0"], "'0' is neither `auto` nor a number from 1 on"),
        (["--jobs", "many"], "'many' is neither `auto` nor a number"),
    ],
)
def test_a_request_that_cannot_be_carried_out_is_refused_before_anything_runs(
    course, folder, tmp_path, arguments, complaint
):
    status, _, error = course("run", *arguments, "--notebooks", folder, "--out", tmp_path / "out")
    assert status == 2
    assert complaint in error
    assert not (tmp_path / "out").exists()


def test_an_interrupt_before_a_command_has_anything_to_lose_is_a_sentence_and_exit_status_130(course, monkeypatch):
    def pressed(facts):
        raise KeyboardInterrupt

    monkeypatch.setattr(facts, "gather", lambda: MACHINE)
    monkeypatch.setattr(findings, "examine", pressed)
    status, text, error = course("doctor")
    assert (status, text) == (130, "")
    assert (
        error.splitlines()[-1]
        == "Interrupted. Existing files are unchanged, and you can run the same command again."
    )


@pytest.mark.parametrize("words", [["--help"], ["doctor", "--help"], ["--version"]])
def test_help_is_no_failure(course, words):
    assert course(*words)[0] in (0, None)


def test_course_alone_says_what_a_learner_wants_most_often(course):
    status, text, error = course()
    assert (status or 0, error) == (0, "")
    for name in ("lab", "progress", "diagnose FILE", "doctor", "--help"):
        assert f"course {name}" in text
    assert len(text.splitlines()) < 10


@pytest.mark.parametrize("columns", ["40", "80", "200"])
def test_help_lists_every_command_once_by_who_asks_in_sentences_that_end(course, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    text = course("--help")[1]
    assert "..." not in text.partition("Learn:")[2]
    groups = {}
    for line in text.partition("Options:")[2].splitlines():
        if line.endswith(":") and not line.startswith(" "):
            rows = groups[line[:-1]] = {}
        elif found := re.match(r"  (\w+)\s+(\S.*)$", line):
            rows = groups.setdefault(list(groups)[-1], {}) if groups else {}
            rows[found[1]] = found[2]
        elif groups and line.strip():
            last = list(groups)[-1]
            name = list(groups[last])[-1]
            groups[last][name] += f" {line.strip()}"
    assert [*groups] == ["Learn", "Teach", "Write and maintain the course"]
    assert {"lab", "progress", "doctor", "diagnose"} <= groups["Learn"].keys()
    assert groups["Teach"].keys() >= {"release", "grade", "classroom"}
    assert groups["Write and maintain the course"].keys() == {"run", "refresh", "check"}
    listed = [name for rows in groups.values() for name in rows]
    assert sorted(listed) == sorted(cli.course.list_commands())
    assert all(sentence.endswith(".") for rows in groups.values() for sentence in rows.values()), groups


def test_a_command_that_is_not_there_is_refused_with_the_way_to_help(course):
    status, _, error = course("examine")
    assert status == 2 and "No such command 'examine'" in error and "--help" in error


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (
            "no_such_package:command",
            "cannot be loaded from no_such_package:command: ModuleNotFoundError: No",
        ),
        ("lessonkit.no_such_module:command", "cannot be loaded from lessonkit.no_such_module:command"),
        ("lessonkit.cli:no_such_name", "AttributeError: module 'lessonkit.cli' has no attribute 'no_such_name'."),
        (
            "broken_by_a_plugin:command",
            "no display. If it was updated or moved, install the package broken_by",
        ),
        ("needs_another:command", "needs the package not_installed_here, which is not installed: pip install"),
    ],
)
@pytest.mark.parametrize("more", [[], ["--help"], ["x", "--out", "y"]])
def test_a_registered_command_that_cannot_be_loaded_says_why(course, monkeypatch, tmp_path, value, words, more):
    (tmp_path / "broken_by_a_plugin.py").write_text("raise RuntimeError('no display')", encoding="utf-8")
    (tmp_path / "needs_another.py").write_text("import not_installed_here.part", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    # What was found is kept, so the function is one that has found nothing yet.
    monkeypatch.setattr(cli, "_registered", cache(cli._registered.__wrapped__))
    monkeypatch.setattr(cli, "entry_points", lambda group: [EntryPoint("shine", value, group)])
    status, _, error = course("shine", *more)
    assert status == 1 and words in error and "Traceback" not in error
    status, text, _ = course("--help")
    assert status in (0, None) and "doctor " in text
    assert "shine     It cannot be loaded; run it to read why." in text.partition("From other packages:")[2]


def test_the_version_is_that_of_the_course_that_is_here(course, monkeypatch):
    assert course("--version")[1] == f"course, version {version('course-utils')}\n"
    for one in ("", "no-such-course"):
        monkeypatch.setattr(cli.settings, "course", lambda one=one: Course(distribution=one))
        assert course("--version")[1] == "course, version unknown: it is not installed as a package\n"


def test_doctor_exits_1_on_a_problem_and_speaks_json(course, monkeypatch):
    found = [Finding("Python", "ok", "3.11", None), Finding("disk", "problem", "full", "Empty it.")]
    monkeypatch.setattr(facts, "gather", lambda: MACHINE)
    monkeypatch.setattr(findings, "examine", lambda facts: found)
    status, text, _ = course("doctor")
    assert status == 1
    assert "problem  disk: full" in text and "Empty it." in text
    assert text.splitlines()[-1].startswith("Verdict: this machine is not ready. Fix 1 problem (disk)")
    status, text, _ = course("doctor", "--json")
    assert status == 1
    assert [one["name"] for one in json.loads(text)] == ["Python", "disk"]
    monkeypatch.setattr(findings, "examine", lambda facts: found[:1])
    status, text, _ = course("doctor")
    assert status == 0 and text.splitlines()[-1].startswith("Verdict: this machine is ready. Nothing")


def test_data_lists_gets_and_verifies(course, monkeypatch):
    from course_utils import datasets

    monkeypatch.setattr(datasets, "names", lambda: ["mnist", "other"])
    monkeypatch.setattr(datasets, "available", lambda name: ("full" if name == "mnist" else "none", "Why."))
    monkeypatch.setattr(datasets, "get", lambda name: [f"{name} is here."])
    assert course("data", "list")[:2] == (0, "mnist: full. Why.\nother: none. Why.\n")
    assert course("data", "get", "mnist")[:2] == (0, "mnist: mnist is here.\n")
    status, _, error = course("data", "get", "cats")
    assert (status, error) == (2, "Refused: no data set called cats; there are: mnist, other\n")
    monkeypatch.setattr(datasets, "verify", lambda name: ["whole"])
    assert course("data", "verify")[:2] == (0, "mnist: whole\nother: not here, so there is nothing to verify\n")

    def damaged(name):
        raise datasets.DataError("cut short")

    monkeypatch.setattr(datasets, "verify", damaged)
    status, _, error = course("data", "verify", "mnist")
    assert (status, error) == (1, "mnist: cut short\n")


def test_the_default_folders_are_the_projects_own():
    options = {option.name: option.default for option in cli.course.get_command(None, "run").params}
    assert options["notebooks"] == Path(PROJECT) / "notebooks"
    assert options["out"] == Path(PROJECT) / "build" / "run"


def test_help_waits_for_no_large_library():
    program = (
        "import sys; from click.testing import CliRunner; from lessonkit.cli import course\n"
        "for words in ([], *([name] for name in course.list_commands())):\n"
        "    assert CliRunner().invoke(course, [*words, '--help']).exit_code == 0, words\n"
        "print([name for name in ('torch', 'nbformat', 'papermill', 'rich', 'jinja2') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
