"""The command, for the tests of its words."""

import functools

import command_line
import pytest


@pytest.fixture
def course(monkeypatch, capsys):
    """Runs the command in this process: (exit status, standard output, standard error)."""
    return functools.partial(command_line.course, monkeypatch, capsys)
