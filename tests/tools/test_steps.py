"""`make test`: which steps are run side by side, whose output is whose, and what they leave behind."""

import importlib
import subprocess
import sys
from functools import partial
from pathlib import Path

import changed
import pytest

steps = importlib.import_module("all")  # tools/testing/all.py


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Where the steps write; other tests, which run meanwhile, are not looked at for what is left behind."""
    monkeypatch.setattr(steps, "BUILD", tmp_path)
    monkeypatch.setattr(steps.aftermath, "watched", partial(steps.aftermath.watched, tmp_path, tmp_path))
    return tmp_path


def test_site_and_browser_go_together_where_the_first_of_them_stands():
    assert steps.together(["lint", "site", "browser", "core"]) == [["lint"], ["site", "browser"], ["core"]]
    assert steps.together(["browser", "unit", "site"]) == [["browser", "site"], ["unit"]]
    assert steps.together(["unit", "site"]) == [["unit"], ["site"]]
    assert steps.together([]) == []
    beside = (*steps.SIDE_BY_SIDE, "notebooks", "core")
    assert steps.together(["unit", "site", "notebooks", "core"], beside) == [
        ["unit"],
        ["site", "notebooks", "core"],
    ]
    assert steps.together(["lint", "site", "lint", "site"]) == [["lint"], ["site"]]


MEETING = """if True:
    import sys, time
    from pathlib import Path
    own, other = map(Path, sys.argv[1:])
    own.touch()
    until = time.monotonic() + 60
    while not other.exists():
        assert time.monotonic() < until, "the other step was not begun"
        time.sleep(0.05)
    print(own.name, "é", flush=True)
    print(own.name, "complains", file=sys.stderr)
"""


def meeting(folder, own, other):
    """A step that ends well only while the other one runs."""

    def step(options, ground):
        settings = {"PYTHONUTF8": "1", "PYTHONUNBUFFERED": ""}
        status = steps.call(ground, "python", "-c", MEETING, folder / own, folder / other, **settings)
        return steps.Tally(int(status == 0), int(status != 0))

    return step


def test_two_steps_run_at_once_and_each_ones_output_is_told_in_one_piece(folder, monkeypatch, capfdbinary):
    monkeypatch.setitem(steps.STEPS, "site", meeting(folder, "site.ran", "browser.ran"))
    monkeypatch.setitem(steps.STEPS, "browser", meeting(folder, "browser.ran", "site.ran"))
    (first, seconds), (second, _) = steps.take(["site", "browser"], None)
    assert first == second == steps.Tally(1, 0) and seconds > 0
    pieces = [f"-- {name}\n{name}.ran é\n{name}.ran complains\n" for name in ("site", "browser")]
    assert capfdbinary.readouterr().out.replace(b"\r\n", b"\n").decode() == "".join(pieces)


def leaving(name):
    def step(options, ground):
        assert set(ground.environment) >= {"TMPDIR", "TEMP", "TMP"}
        (Path(ground.environment["TMPDIR"]) / name).touch()
        return steps.Tally(3, 0)

    return step


def test_what_two_steps_leave_behind_is_one_failure_and_is_named(monkeypatch, capfd):
    for name in ("site", "browser"):
        monkeypatch.setitem(steps.STEPS, name, leaving(f"{name}.left"))
    assert [tally for tally, _ in steps.take(["site", "browser"], None)] == [steps.Tally(3, 0), steps.Tally(3, 1)]
    said = capfd.readouterr().out
    assert "left behind: temporary file: browser.left\nleft behind: temporary file: site.left" in said


def test_a_step_that_is_not_watched_prints_as_it_goes_and_gets_no_variables(monkeypatch, capfd):
    def lint(options, ground):
        assert ground == steps.Ground({}, None)
        print("here")
        return steps.Tally(1, 0)

    monkeypatch.setitem(steps.STEPS, "lint", lint)
    assert [tally for tally, _ in steps.take(["lint"], None)] == [steps.Tally(1, 0)]
    assert capfd.readouterr().out == "here\n"


def raising(options, ground):
    steps.call(ground, "python", "-c", "print('before it')")
    raise RuntimeError("no record")


def test_of_a_step_that_broke_off_the_output_is_told_all_the_same(monkeypatch, capfd):
    for name in ("site", "browser"):
        monkeypatch.setitem(steps.STEPS, name, raising)
    with pytest.raises(RuntimeError, match="no record"):
        steps.take(["site", "browser"], None)
    assert capfd.readouterr().out.split() == ["--", "site", "before", "it", "--", "browser", "before", "it"]


EARLY = """
import sys

def test_nbval_is_there_and_no_grammar():
    assert {"nbval", "nbformat", "rfc3987_syntax"} <= set(sys.modules) and "lark" not in sys.modules
"""


def test_the_early_plugin_comes_before_nbval_and_puts_the_grammar_off(project, tmp_path):
    (tmp_path / "test_early.py").write_text(EARLY, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "tools.testing.early", "-q", f"--rootdir={tmp_path}", tmp_path]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


CASE = '<testcase classname="{}" name="a"><{}/></testcase>'


def record(folder, *cases):
    text = "".join(CASE.format(*case) for case in cases)
    (folder / "unit.xml").write_text(f"<testsuites><testsuite>{text}</testsuite></testsuites>", encoding="utf-8")


def test_what_failed_is_not_noted_as_passed_and_neither_is_what_cannot_be_told_apart(folder):
    plan = changed.Plan(tests={"unit": ["tests/test_a.py", "tests/test_b.py"]}, chapters={"core": ["01_a", "02_b"]})
    good, bad = steps.Tally(2, 0), steps.Tally(1, 1)
    assert steps.passed_in(["unit"], {"unit": good}, plan) == {"tests/test_a.py", "tests/test_b.py"}
    assert steps.passed_in(["lint", "core"], {"lint": good, "core": good}, plan) == {"core:01_a", "core:02_b"}
    assert steps.passed_in(["core"], {"core": bad}, plan) == set()
    assert steps.passed_in(["unit", "core"], {"unit": good, "core": bad}, plan) == set(), (
        "what is left may be either's"
    )
    assert steps.passed_in(["unit"], {"unit": bad}, plan) == set(), "no record: it broke off"
    record(folder, ("tests.test_a", "skipped"), ("tests.test_b", "failure"))
    assert steps.passed_in(["unit"], {"unit": bad}, plan) == {"tests/test_a.py"}
    record(folder, ("tests.test_a", "skipped"), ("", "error"))
    assert steps.passed_in(["unit"], {"unit": bad}, plan) == set(), "of a file that could not be collected"


@pytest.mark.parametrize("words", [["--changed", "lint"], ["--since", "HEAD", "--chapters", "03"], ["--plan"]])
def test_what_changed_is_chosen_for_all_steps_or_not_at_all(words, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["all.py", *words])
    with pytest.raises(SystemExit):
        steps.main()
    assert "--changed" in capsys.readouterr().err
