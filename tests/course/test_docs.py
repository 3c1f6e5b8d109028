"""What the pages for people say is true: links, commands, variables, and the table of chapters."""

import json
import re
import shlex
import tomllib

import click
import nbformat
import pytest
import yaml
from links import PAGES
from minutes import kept
from pages import row, rows

from course_utils import PROJECT
from lessonkit.cli import course
from lessonkit.notebook import catalog, tags
from lessonkit.notebook.catalog import find
from lessonkit.review.diagnostics import errors

README, LEARNING = PROJECT / "README.md", PROJECT / "docs" / "learning.md"
DURATIONS = json.loads((PROJECT / "tools" / "testing" / "durations.json").read_text(encoding="utf-8"))
NOTEBOOKS = {path.stem: path for path in sorted((PROJECT / "notebooks").glob("*.ipynb"))}
MINUTES = kept()
MAKEFILE = (PROJECT / "Makefile").read_text(encoding="utf-8")
TEXT = {path: path.read_text(encoding="utf-8") for path in PAGES}
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(PROJECT).as_posix())


def commands(text):
    """Every command in a code block or between backticks, as its words; comments and `NAME=value` left out."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = [line for language, block in blocks if not language for line in block.splitlines()]
    for line in [*lines, *re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))]:
        words = line.partition("#")[0].replace("\\", "/").split()
        while words and re.fullmatch(r"[A-Z_]+=\S+", words[0]):
            words.pop(0)
        if words:
            yield [words[0].removeprefix(".venv/bin/"), *words[1:]]


@each_page
def test_every_relative_link_leads_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", TEXT[page]):
        if not re.match(r"[a-z]+:", target):
            path = page.parent / target.partition("#")[0]
            assert path.exists(), f"{page.name} links to {target}, which is not there"


@each_page
def test_every_make_target_and_course_command_exists(page):
    targets = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
    for words in commands(TEXT[page]):
        if words[0] == "make":
            assert {word for word in words[1:] if "=" not in word} <= targets, shlex.join(words)
            named = {word.partition("=")[0] for word in words[1:] if "=" in word}
            assert all(f"$({name})" in MAKEFILE for name in named), shlex.join(words)
        if words[0] == "course":
            check_course(words[1:])
        if words[0] in ("python", "bash") and len(words) > 1 and "/" in words[1]:
            assert (PROJECT / words[1]).exists(), shlex.join(words)


def check_course(words):
    """Whether the words are a command of `course` and options it has."""
    command = course
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        name, *words = words
        found = command.get_command(None, name)
        assert found is not None, f"there is no `course {name}`"
        command = found
    takes = {name for one in command.params if not getattr(one, "is_flag", True) for name in one.opts}
    words = [word for before, word in zip(["", *words], words, strict=False) if before not in takes]
    known = {option for parameter in command.params for option in parameter.opts} | {"--help"}
    assert {word for word in words if word.startswith("-")} <= known, f"{command.name}: {words}"
    assert any(isinstance(p, click.Argument) for p in command.params) or all(w.startswith("-") for w in words)


def test_a_command_that_does_not_exist_is_seen():
    found = list(commands("Say `make tea`.\n```python\nmake = 1\n```\n```\nA=1 course brew --hot  # now\n```\n"))
    assert found == [["course", "brew", "--hot"], ["make", "tea"]]
    with pytest.raises(AssertionError, match="no `course brew`"):
        check_course(["brew"])
    with pytest.raises(AssertionError, match="hot"):
        check_course(["run", "05", "--hot"])


def test_the_table_of_chapters_is_true():
    table, chapters = rows(TEXT[README]), find()
    assert list(table) == [chapter.name for chapter in chapters]
    assert [found for chapter in chapters for found in row(TEXT[README], chapter)] == []
    assert "expected ('notebooks/" in errors(row("", chapters[0]))[0]


def test_titles_say_the_minutes_of_minutes_toml():
    said = {name: catalog.minutes(nbformat.read(path, 4).cells[0].source) for name, path in NOTEBOOKS.items()}
    assert said == MINUTES, "change notebooks/minutes.toml and run `python tools/minutes.py --write`"


def test_the_seconds_of_the_chapters_are_those_on_record():
    durations = DURATIONS.values()
    (found,) = re.findall(r"between (\d+) and (\d+) seconds", TEXT[LEARNING])
    assert tuple(map(int, found)) == (min(durations), max(durations)), "docs/learning.md, on chapters that run"


def test_the_seconds_of_nbgrader_are_those_of_the_record():
    durations = {name[:2]: seconds for name, seconds in DURATIONS.items()}
    text = " ".join((PROJECT / "docs" / "room.md").read_text(encoding="utf-8").split())
    found = re.search(r"between (\d+) and (\d+) s for a chapter, (\d+) minutes for all", text).groups()
    all_minutes, room = round(sum(durations.values()) / 60), sum(durations[one] for one in ("00", "01", "02", "05"))
    assert tuple(map(int, found)) == (min(durations.values()), max(durations.values()), all_minutes)
    assert f"thirty learners' 00, 01, 02 and 05 take {round(30 * room / 60)} minutes" in text


def test_contributing_explains_every_tag():
    rows = re.findall(r"^\| `([a-z-]+)` \| ", TEXT[PROJECT / "CONTRIBUTING.md"], re.MULTILINE)
    assert rows == [value for name, value in vars(tags).items() if name.isupper()]


def test_every_variable_named_exists_and_every_one_for_people_is_named():
    folders = [PROJECT / name for name in ("course_utils", "lessonkit", "tests/browser", "tools/testing", "web")]
    source = "".join(path.read_text(encoding="utf-8") for folder in folders for path in folder.rglob("*.py"))
    named = set(re.findall(r"COURSE_[A-Z]+", "".join(TEXT.values())))
    assert named <= set(re.findall(r"COURSE_[A-Z]+", source))
    assert {"COURSE_DATA", "COURSE_OFFLINE", "COURSE_MIRROR"} <= set(re.findall(r"COURSE_[A-Z]+", TEXT[LEARNING]))


def test_every_target_has_a_line_of_help():
    (phony,) = re.findall(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    helped = set(re.findall(r"^([a-z-]+):.*## \S", MAKEFILE, re.MULTILINE))
    assert set(phony.split()) - {"help"} == helped


def test_ci_calls_readmes_test_command():
    script = (PROJECT / ".ci" / "run").read_text(encoding="utf-8")
    assert script.splitlines()[-1] == "make test"
    assert 'export CI="${CI:-true}"' in script, "so that everything runs"
    assert ["make", "test"] in list(commands(TEXT[README]))


def test_the_citation_and_the_package_agree():
    citation = yaml.safe_load((PROJECT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert citation["version"] == project["version"]
    assert " AND ".join(citation["license"]) == project["license"]
    assert all((PROJECT / name).is_file() for name in project["license-files"])
