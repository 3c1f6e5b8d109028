"""The `course` command, run in this process."""

import sys

import pytest

from lessonkit import cli


def course(monkeypatch, capsys, *arguments):
    """Run the command here: (exit status, standard output, standard error)."""
    monkeypatch.setattr(sys, "argv", ["course", *map(str, arguments)])
    monkeypatch.setattr(cli.signal, "signal", lambda *_: None)
    return outcome(cli.main, capsys)


def outcome(main, capsys):
    """Call the `main` of a command, which ends the program: (exit status, standard output, standard error)."""
    with pytest.raises(SystemExit) as end:
        main()
    return int(end.value.code or 0), *capsys.readouterr()
