"""JupyterLab as the course starts it: on the copies, on loopback, with this Python's kernel, without the news."""

import json
import logging
import os
import shutil
import subprocess
import sys
import time
import types
from functools import partial
from pathlib import Path

import pytest
import toys
from jupyter_client.kernelspec import KernelSpecManager

from course_utils import PROJECT
from lessonkit.commands import jupyterlab_program, lab, lab_address
from lessonkit.desk.folder import Desk
from lessonkit.desk.lab_settings import write_config
from lessonkit.notebook.catalog import find
from lessonkit.progress import contents
from lessonkit.system.errors import Refused


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A place for copies inside the project, at which nothing is written."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path))
    return Desk(PROJECT / "work")


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """One chapter, and a place for its copy in a folder with a space and an é."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    originals = toys.write(tmp_path / "notebooks", _00_start=toys.notebook(toys.code("1")))
    return Desk(tmp_path / "mon école" / "travail", originals)


def test_labs_kernel_is_this_python_whatever_the_user_has_registered(foreign, desk, monkeypatch):
    for name, value in lab.environment(foreign / "config", desk).items():
        monkeypatch.setenv(name, value)
    assert KernelSpecManager().get_kernel_spec("python3").display_name != "foreign"
    assert str(foreign) in os.environ["JUPYTER_PATH"], "the user's other kernels stay"


def test_lab_listens_on_loopback_and_opens_the_copy_of_the_first_chapter(desk):
    line = lab.command(desk, no_browser=True)
    assert line[:3] == [sys.executable, "-m", "lessonkit.commands.jupyterlab_program"]
    assert "--ServerApp.ip=127.0.0.1" in line
    assert "--no-browser" in line and "--no-browser" not in lab.command(desk)
    assert "--LabApp.default_url=/lab/tree/work/00_start_here.ipynb" in line
    assert f"--ServerApp.root_dir={PROJECT}" in line, "links to scripts work"
    assert "--FileContentsManager.preferred_dir=work" in line, "the file browser begins at the copies"
    assert not any("token" in word or "password" in word for word in line), "Jupyter's own token stays on"


def test_copies_outside_the_project_are_the_root_and_kernels_know_where_they_are(elsewhere, tmp_path):
    line = lab.command(elsewhere)
    assert f"--ServerApp.root_dir={elsewhere.work}" in line
    assert "--FileContentsManager.preferred_dir=" in line
    assert "--LabApp.default_url=/lab/tree/00_start.ipynb" in line
    assert lab.environment(tmp_path, elsewhere)["COURSE_WORK"] == str(elsewhere.work)


def test_an_address_holds_no_space():
    work = PROJECT / "my wörk"
    assert "--LabApp.default_url=/lab/tree/my%20w%C3%B6rk/00_start_here.ipynb" in lab.command(Desk(work))


def test_the_news_pop_up_and_nbgrader_are_off_by_settings_that_jupyterlab_reads(tmp_path, desk, monkeypatch):
    from jupyter_core.paths import jupyter_config_path
    from jupyter_server.extension.config import ExtensionConfigManager
    from jupyterlab_server.config import get_static_page_config

    write_config(tmp_path)
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", lab.environment(tmp_path, desk)["JUPYTER_CONFIG_PATH"])
    found = get_static_page_config(level="all")["disabledExtensions"]
    assert found["@jupyterlab/apputils-extension:announcements"] is True and found["@jupyter/nbgrader"] is True
    manager = ExtensionConfigManager(read_config_path=jupyter_config_path())
    parts = manager.get_jpserver_extensions(section_name="jupyter_server_config")
    assert parts["jupyterlab"] and not any(on for name, on in parts.items() if "nbgrader" in name)
    assert "nbgrader.server_extensions.formgrader" in parts


def test_a_page_of_markdown_opens_as_it_is_meant_to_be_read(tmp_path, desk, monkeypatch):
    from jupyterlab_server.settings_utils import _get_overrides

    write_config(tmp_path)
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", lab.environment(tmp_path, desk)["JUPYTER_CONFIG_PATH"])
    found, error = _get_overrides(str(tmp_path / "settings of nobody"))
    assert not error
    assert found["@jupyterlab/docmanager-extension:plugin"]["defaultViewers"] == {"markdown": "Markdown Preview"}
    assert found["@jupyterlab/notebook-extension:tracker"]["codeCellConfig"]["lineWrap"] is True


@pytest.mark.parametrize(
    ("work", "told"),
    [
        (PROJECT / "work", {"courseOriginals": "notebooks", "courseCopies": "work"}),
        (PROJECT / "my wörk" / "copies", {"courseOriginals": "notebooks", "courseCopies": "my wörk/copies"}),
        (PROJECT.parent / "elsewhere", {}),
    ],
)
def test_jupyterlab_s_page_says_where_originals_and_copies_are_where_both_are_seen(tmp_path, work, told):
    write_config(tmp_path, **lab.places(Desk(work)))
    page = json.loads((tmp_path / "labconfig" / "page_config.json").read_text(encoding="utf-8"))
    assert {name: place for name, place in page.items() if name.startswith("course")} == told


def test_each_kernel_learns_to_name_the_cell_that_makes_a_name_unless_the_user_has_a_start_up_file(
    tmp_path, desk, monkeypatch
):
    monkeypatch.delenv("PYTHONSTARTUP", raising=False)
    assert Path(lab.environment(tmp_path, desk)["PYTHONSTARTUP"]).name == "kernel_startup.py"
    assert Path(lab.environment(tmp_path, desk)["PYTHONSTARTUP"]).is_file()
    monkeypatch.setenv("PYTHONSTARTUP", "/mine.py")
    assert lab.environment(tmp_path, desk)["PYTHONSTARTUP"] == "/mine.py"


def test_lab_fills_the_folder_in_one_sentence_and_is_silent_the_next_time(elsewhere, capsys):
    lab.prepare(elsewhere)
    said = capsys.readouterr().out
    assert said == f"1 chapter is copied to {elsewhere.work}: write there, the originals stay as they are.\n"
    assert lab.first_page(elsewhere).exists()
    lab.prepare(elsewhere)
    assert capsys.readouterr() == ("", "")


def test_copies_that_cannot_be_updated_are_opened_as_they_are(elsewhere, monkeypatch, capsys):
    lab.prepare(elsewhere)
    capsys.readouterr()

    def full(desk):
        raise Refused("the disk is full")

    monkeypatch.setattr("lessonkit.desk.copies.bring", full)
    lab.prepare(elsewhere)
    assert capsys.readouterr().err == "Not updated: the disk is full.\n"
    lab.first_page(elsewhere).unlink()
    with pytest.raises(Refused, match="full"):
        lab.prepare(elsewhere)


def test_a_home_that_cannot_be_written_is_said_and_jupyter_kept_in_the_work_folder(
    elsewhere, tmp_path, monkeypatch, capsys
):
    (tmp_path / "a file").write_text("", encoding="utf-8")
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "a file" / "jupyter"))
    lab.prepare(elsewhere)
    assert "trusted" not in capsys.readouterr().err
    found = lab.environment(tmp_path, elsewhere)
    names = ("JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "MPLCONFIGDIR")
    assert all(Path(found[name]).is_relative_to(elsewhere.machinery) for name in names)
    assert (Path(found["JUPYTER_DATA_DIR"]) / "nbsignatures.db").exists()
    said = capsys.readouterr().err
    assert said.startswith("Your home folder cannot be written") and said.count("\n") == 1


def test_the_start_page_and_the_layout_are_written_and_opened(elsewhere):
    lab.prepare(elsewhere)
    assert lab.arrange(elsewhere)
    assert "**Begin here: [00 · Start here" in (elsewhere.work / "START.md").read_text(encoding="utf-8")
    [layout] = (elsewhere.machinery / "workspaces").iterdir()
    assert '"path": "00_start.ipynb"' in layout.read_text(encoding="utf-8")
    line = lab.command(elsewhere, arranged=True)
    assert "--LabApp.default_url=/lab" in line
    assert f"--LabApp.workspaces_dir={elsewhere.machinery / 'workspaces'}" in line


def test_without_a_start_page_the_first_chapter_is_opened_alone(elsewhere, capsys):
    lab.prepare(elsewhere)
    capsys.readouterr()
    (elsewhere.work / "START.md").mkdir()
    assert not lab.arrange(elsewhere)
    assert not any("workspaces" in word for word in lab.command(elsewhere))
    said = capsys.readouterr().err
    assert said.startswith("The start page was not updated: ") and said.count("\n") == 1


def test_a_damaged_record_is_said_and_the_page_opened_as_it_is(elsewhere, capsys):
    lab.prepare(elsewhere)
    assert lab.arrange(elsewhere)
    capsys.readouterr()
    (elsewhere.machinery / "progress.sqlite3").write_bytes(b"no database " * 100)
    assert lab.arrange(elsewhere)
    assert "progress.sqlite3 is damaged" in capsys.readouterr().err


def test_terminals_and_cells_of_jupyterlab_find_the_command_of_this_python(tmp_path, desk, monkeypatch):
    monkeypatch.setenv("PATH", os.pathsep.join(["/elsewhere", "/usr/bin"]))
    found = lab.environment(tmp_path, desk)["PATH"].split(os.pathsep)
    assert found == [str(Path(sys.executable).parent), "/elsewhere", "/usr/bin"]


@pytest.mark.skipif(os.name != "posix", reason="Windows has no login shells")
def test_a_terminal_of_jupyterlab_is_no_login_shell(tmp_path):
    write_config(tmp_path)
    settings = json.loads((tmp_path / "jupyter_server_config.json").read_text(encoding="utf-8"))
    shell = settings["ServerApp"]["terminado_settings"]["shell_command"]
    assert len(shell) == 1 and shutil.which(shell[0])


def test_jupyterlab_finds_the_course_s_extensions(tmp_path, desk, monkeypatch):
    from jupyter_core.paths import jupyter_path
    from jupyterlab_server.config import get_federated_extensions

    monkeypatch.setenv("JUPYTER_PATH", lab.environment(tmp_path, desk)["JUPYTER_PATH"])
    assert {"course-start-page", "course-desk"} <= {*get_federated_extensions(jupyter_path("labextensions"))}


def test_with_neither_home_nor_work_folder_jupyter_lives_until_it_ends(elsewhere, tmp_path, monkeypatch, capsys):
    (tmp_path / "a file").write_text("", encoding="utf-8")
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "a file" / "jupyter"))
    elsewhere.work.mkdir(parents=True)
    elsewhere.machinery.write_text("", encoding="utf-8")  # so that nothing can be made in it, by root neither
    (tmp_path / "config").mkdir()
    found = lab.environment(tmp_path / "config", elsewhere)
    assert Path(found["JUPYTER_DATA_DIR"]) == tmp_path / "config" / "jupyter"
    assert "until it ends" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("where", "damage"),
    [
        ("copy", b'{"cells": [{"cell_type": "code", "source": "1"}], "nbformat": 4, "metadata": {}}'),
        ("copy", b"<<<<<<< HEAD\n{}"),
        ("copy", b"\xff\xfe{\0"),
        ("original", b"<<<<<<< HEAD\n{}"),
        ("original", b'{"cells": [], "nbformat": 4, "metadata": {}}'),
    ],
)
def test_lab_opens_whatever_one_chapter_holds(elsewhere, monkeypatch, where, damage, capsys):
    lab.prepare(elsewhere)
    path = elsewhere.copy("00_start") if where == "copy" else elsewhere.originals / "00_start.ipynb"
    path.write_bytes(damage)
    monkeypatch.setattr(contents, "find", lambda folder: find(elsewhere.originals))
    lab.prepare(elsewhere)
    lab.arrange(elsewhere)
    said = "".join(capsys.readouterr())
    assert "00_start" in said.partition("copied to")[2]
    assert "--LabApp.default_url=/lab/tree/00_start.ipynb" in lab.command(elsewhere)


def jpserver(folder, number, root, **more):
    said = {"url": "http://127.0.0.1:8890/", "token": "abc", "root_dir": str(root), "pid": number} | more
    (folder / f"jpserver-{number}.json").write_text(json.dumps(said), encoding="utf-8")


def announced(folder, root, write, monkeypatch, *, seconds=20.0):
    """What is said after `write` has been called, until the thread ends or is ended."""
    monkeypatch.setattr(lab_address, "OFTEN", 0.01)
    said, until = [], time.monotonic() + seconds
    process = types.SimpleNamespace(pid=77, poll=lambda: None if time.monotonic() < until else 0)
    thread = lab_address.announce(process, folder, root, say=said.append)
    write()
    thread.join(timeout=60)
    assert not thread.is_alive()
    return said


@pytest.mark.parametrize(
    ("number", "root"),
    [(77, "."), (77, "another root, which the user asked for"), (78, ".")],  # the last: a launcher of Windows
)
def test_the_address_is_said_with_what_to_do_with_it(tmp_path, monkeypatch, number, root):
    jpserver(tmp_path, 1, tmp_path, url="http://127.0.0.1:1/")  # of an earlier one
    write = partial(jpserver, tmp_path, 2, tmp_path / root, pid=number)
    [said] = announced(tmp_path, tmp_path, write, monkeypatch)
    assert "Ctrl-C here ends JupyterLab." in said
    assert said.splitlines()[-1].strip() == "http://127.0.0.1:8890/lab?token=abc"


@pytest.mark.parametrize(
    "write",
    [
        lambda folder: None,
        lambda folder: jpserver(folder, 3, folder / "another course"),
        lambda folder: (folder / "jpserver-4.json").write_text('{"url": "http', encoding="utf-8"),
        lambda folder: (folder / "jpserver-5.json").write_text('["no server"]', encoding="utf-8"),
        lambda folder: (folder / "jpserver-5-open.html").write_text("", encoding="utf-8"),
    ],
)
def test_no_address_is_said_but_that_of_this_lab(tmp_path, monkeypatch, write):
    assert announced(tmp_path, tmp_path, lambda: write(tmp_path), monkeypatch, seconds=0.5) == []


def test_an_address_without_a_token_is_said_as_it_is(tmp_path):
    jpserver(tmp_path, 6, tmp_path, token="")
    assert lab_address.address_in(tmp_path / "jpserver-6.json", tmp_path, 6) == "http://127.0.0.1:8890/lab"


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("The websocket_ping_timeout (90000) cannot be longer than the websocket_ping_interval (30000).", False),
        ("Uncaught exception GET /api/contents", True),
        ("The disk is full: %s", True),
    ],
)
def test_one_warning_that_nobody_can_mend_is_not_printed(words, kept):
    record = logging.LogRecord("tornado.general", logging.WARNING, "x.py", 1, words, (), None)
    assert jupyterlab_program.tells_something(record) is kept


def test_while_it_takes_long_a_sentence_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(lab_address, "PATIENCE", 0.2)
    monkeypatch.setattr(lab_address, "MOST", 2)
    said = announced(tmp_path, tmp_path, lambda: None, monkeypatch, seconds=0.7)
    assert len(said) == 2 and all(one.startswith("JupyterLab is still starting after ") for one in said)


def test_the_address_is_looked_for_where_jupyterlab_writes_it(elsewhere, tmp_path, monkeypatch):
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "run"))
    assert lab.runtime_folder(lab.environment(tmp_path, elsewhere)) == tmp_path / "run"
    assert lab.runtime_folder({"JUPYTER_RUNTIME_DIR": "elsewhere"}) == Path("elsewhere")


def test_jupyterlab_is_started_without_the_grammar_that_it_never_uses():
    program = (
        "import sys; sys.argv = ['jupyter-lab', '--version']\n"
        "from lessonkit.commands import jupyterlab_program\n"
        "try:\n    jupyterlab_program.main()\nexcept SystemExit as end:\n    assert not end.code\n"
        "print('rfc3987_syntax.syntax_helpers' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=True)
    assert done.stdout.split()[-1] == "False"
