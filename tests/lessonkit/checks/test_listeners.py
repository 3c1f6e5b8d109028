"""A verdict comes to the learner whatever the packages do that want to be notified of it."""

from importlib.metadata import EntryPoint

import pytest

from lessonkit.checks import listeners
from lessonkit.checks.exercise import Exercise

heard = []


def keeps():
    """A listener."""
    return lambda *what: heard.append(what)


def falls_over():
    """A listener that raises."""

    def listen(*what):
        raise ValueError("no room left")

    return listen


def cannot_be_made():
    """No listener."""
    raise RuntimeError("no display")


def doubled(x):
    """A reference."""
    return 2 * x


@pytest.fixture
def register(monkeypatch):
    """Registers entry points as installed packages do, in a process that has had no verdict."""

    def register(*values):
        group = listeners.GROUP
        found = [EntryPoint(f"{number} of {len(values)}", value, group) for number, value in enumerate(values)]
        monkeypatch.setattr(listeners, "entry_points", lambda group: found)
        forget()

    def forget():
        listeners.registered.cache_clear()
        listeners._tell_once.cache_clear()
        heard.clear()

    yield register
    monkeypatch.undo()
    forget()


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (
            "lessonkit.no_such_module:Listener",
            "0 of 2 (lessonkit.no_such_module:Listener) cannot be loaded",
        ),
        (f"{__name__}:no_such_name", "cannot be loaded: AttributeError: "),
        (f"{__name__}:cannot_be_made", "cannot be loaded: RuntimeError: no display"),
        (f"{__name__}:falls_over", "has failed: ValueError: no room left"),
    ],
    ids=["module", "name", "made", "called"],
)
def test_a_listener_that_fails_costs_no_verdict_and_is_named_once(register, capsys, value, words):
    register(value, f"{__name__}:keeps")
    one = Exercise(doubled, inputs=lambda seed: [(1,), (2,)])
    assert one.check(lambda x: x + x).passed and one.check(doubled).passed
    assert [said.state for _, said, _, _ in heard] == ["passed", "passed"]
    out, error = capsys.readouterr()
    assert out == "" and error.count("The listener") == 1 and words in error
    assert error.endswith("The verdict is not affected.\n")


def test_lessonkit_registers_who_notes_progress_and_who_reports_to_a_classroom():
    names = {type(one).__name__ for one in listeners.registered()}
    assert {"ProgressListener", "ClassroomListener"} <= names
