"""The `course` command: what it refuses before anything runs, and what it hands on."""

import json
import sys
from pathlib import Path

import pytest
import toys
from filelock import FileLock
from toys import code, notebook, parameters

from course_utils import PROJECT, cli
from course_utils.notebook import catalog
from course_utils.notebook.catalog import Refused
from course_utils.runner import run as order
from course_utils.runner.run import Order


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return toys.write(
        tmp_path_factory.mktemp("cli") / "notebooks",
        _00_start=notebook(parameters(), code("1")),
        _05_training=notebook(parameters('PROFILE = "quick"\nLR = 1e-4\nSIZES = [1, 2]'), code("1")),
        _11_bare=notebook(code("1")),
    )


@pytest.fixture
def course(monkeypatch, capsys):
    """Runs the command in this process: (exit status, standard output, standard error)."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["course", *map(str, arguments)])
        monkeypatch.setattr(cli.signal, "signal", lambda *_: None)
        with pytest.raises(SystemExit) as end:
            cli.main()
        return int(end.value.code or 0), *capsys.readouterr()

    return run


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ((), ["00_start", "05_training", "11_bare"]),
        (("5",), ["05_training"]),
        (("05", "training", "05_training"), ["05_training"]),
        (("11", "start"), ["00_start", "11_bare"]),
        (("05_training.ipynb",), ["05_training"]),
    ],
)
def test_chapters_go_by_number_or_slug(folder, names, expected):
    assert [chapter.name for chapter in catalog.select(catalog.find(folder), names)] == expected


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["99"], "no chapter called 99; there are: 00_start, 05_training, 11_bare"),
        (["00", "--set", "LR=1"], "00_start has no parameter called LR; it has: PROFILE, SEED, DEVICE"),
        (["11", "--profile", "full"], "11_bare has no parameter called PROFILE; it has: none"),
        (["00", "--set", "SEED"], "expected NAME=VALUE"),
        (["--profile", "slow"], "'slow' is not one of 'quick', 'full'"),
        (["--answers", "mine"], "'mine' is not one of 'untouched', 'solved'"),
        (["--jobs", "0"], "0 is not in the range"),
        (["00", "--resume"], "nothing to resume"),
    ],
)
def test_an_order_that_cannot_be_carried_out_is_refused_before_anything_runs(
    course, folder, tmp_path, arguments, complaint
):
    status, _, error = course("run", *arguments, "--notebooks", folder, "--out", tmp_path / "out")
    assert status == 2
    assert complaint in error
    assert not (tmp_path / "out").exists()


def test_a_device_that_is_not_there_is_refused_in_a_sentence(monkeypatch):
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    for name in ("cuda", "mps"):
        with pytest.raises(Refused, match=rf"--device {name}: .* finds no {name} device here; there is: cpu"):
            order.resolve_device(name)
    assert order.resolve_device("auto") == "cpu"
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert order.resolve_device("auto") == "cuda"


def test_only_parameters_that_differ_are_injected(folder, tmp_path):
    start, training, bare = catalog.find(folder)
    assert order.injected(start, Order(out=tmp_path)) == {}
    assert order.injected(bare, Order(out=tmp_path)) == {}
    asked = Order(out=tmp_path, profile="full", device="cpu", settings=("SEED=3",))
    assert order.injected(start, asked) == {"PROFILE": "full", "DEVICE": "cpu", "SEED": 3}
    same = Order(out=tmp_path, settings=("LR=1e-4", "SIZES=[1, 3]"))
    assert order.injected(training, same) == {"SIZES": [1, 3]}


@pytest.mark.parametrize(
    ("text", "pair"),
    [("A=1", ("A", 1)), ("A=x=y", ("A", "x=y")), ("A=null", ("A", None)), ('A="1"', ("A", "1")), ("A=", ("A", ""))],
)
def test_a_setting_is_json_or_text(text, pair):
    assert order.setting(text) == pair


def test_the_chapters_own_folder_is_no_place_for_results(folder):
    with pytest.raises(Refused, match="they would be overwritten"):
        order.carry_out(Order(out=folder.resolve(), notebooks=folder))


def test_two_runs_into_one_folder_are_refused(folder, tmp_path):
    with FileLock(tmp_path / "run.lock"), pytest.raises(Refused, match="give this one another --out"):
        order.carry_out(Order(out=tmp_path, notebooks=folder, names=("00",)))


@pytest.mark.parametrize("content", ["", "no json", "{}", "[]", '{"cells": 3}'])
def test_a_file_that_is_no_notebook_is_refused(tmp_path, content):
    path = tmp_path / "00_broken.ipynb"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(Refused, match="is not a notebook"):
        catalog.defaults(catalog.Chapter(path))
    with pytest.raises(Refused, match="no chapter"):
        catalog.find(tmp_path / "elsewhere")


def test_doctor_exits_1_on_a_problem_and_speaks_json(course, monkeypatch):
    from course_utils.doctor import findings as doctor

    findings = [
        doctor.Finding("Python", "ok", "3.11", None),
        doctor.Finding("disk", "problem", "full", "Empty it."),
    ]
    monkeypatch.setattr(doctor, "examine", lambda: findings)
    status, text, _ = course("doctor")
    assert status == 1
    assert "problem  disk: full" in text and "Empty it." in text
    status, text, _ = course("doctor", "--json")
    assert status == 1
    assert [found["name"] for found in json.loads(text)] == ["Python", "disk"]
    monkeypatch.setattr(doctor, "examine", lambda: findings[:1])
    assert course("doctor")[0] == 0


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
    assert course("data", "verify")[:2] == (0, "mnist: whole\nother: not here, nothing to check\n")

    def damaged(name):
        raise datasets.DataError("cut short")

    monkeypatch.setattr(datasets, "verify", damaged)
    status, _, error = course("data", "verify", "mnist")
    assert (status, error) == (1, "mnist: cut short\n")


def test_the_default_folders_are_the_projects_own():
    options = {option.name: option.default for option in cli.run.params}
    assert options["notebooks"] == Path(PROJECT) / "notebooks"
    assert options["out"] == Path(PROJECT) / "build" / "run"
