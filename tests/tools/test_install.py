"""Setting up: what uv is told of pip's configuration, where its cache lies, which commands are run."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from depends import PACKAGES

from course_utils import PROJECT
from lessonkit.system import pip_settings

INSTALL = runpy.run_path(str(PROJECT / "tools" / "install.py"))
LISTING = r"""
global.index-url='https://user:pass@mirror.example/simple'
global.extra-index-url='https://old.example/simple'
install.extra-index-url='https://a.example/simple\nfile:///b/simple'
:env:.find-links='/wheels /more'
global.cert='/etc/a certificate.pem'
:env:.default-timeout='180'
global.no-binary=':all:'
download.index-url='https://not.for.installing/simple'
"""
SAID = {
    "UV_DEFAULT_INDEX": "https://user:pass@mirror.example/simple",
    "UV_INDEX": "https://a.example/simple file:///b/simple",
    "UV_INDEX_STRATEGY": "unsafe-best-match",
    "UV_FIND_LINKS": "/wheels,/more",
    "SSL_CERT_FILE": "/etc/a certificate.pem",
    "UV_HTTP_TIMEOUT": "180",
}


def test_uv_is_told_what_pip_is_configured_with():
    settings = pip_settings.parsed(LISTING)
    assert pip_settings.for_uv(settings, {}) == (SAID, [])
    assert pip_settings.not_passed_on(settings) == ["no-binary"]


def test_what_the_user_has_set_for_uv_stays():
    settings = pip_settings.parsed(LISTING)
    variables, _ = pip_settings.for_uv(settings, {"UV_INDEX_URL": "https://mine/simple", "UV_FIND_LINKS": "/mine"})
    assert variables == {k: v for k, v in SAID.items() if k not in ("UV_DEFAULT_INDEX", "UV_FIND_LINKS")}


def test_a_folder_of_wheels_serves_without_a_network():
    settings = pip_settings.parsed(":env:.no-index='1'\n:env:.find-links='/wheels'\n")
    assert pip_settings.for_uv(settings, {}) == ({"UV_FIND_LINKS": "/wheels"}, ["--no-index"])
    assert pip_settings.for_uv(pip_settings.parsed("global.no-index='false'\n"), {}) == ({}, [])


def test_the_settings_of_this_machine_are_pips_own(tmp_path):
    config = tmp_path / "pip é.conf"
    config.write_text("[global]\nindex-url = https://mirror.example/simple\n", encoding="utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    environment = {**kept, "PIP_CONFIG_FILE": str(config), "PIP_EXTRA_INDEX_URL": "https://more.example/simple"}
    settings = pip_settings.of_pip(sys.executable, environment)
    assert settings["index-url"] == "https://mirror.example/simple"
    assert settings["extra-index-url"] == "https://more.example/simple"


def test_a_cache_that_cannot_be_written_gives_way_to_one_in_the_environment(tmp_path):
    blocked = tmp_path / "a file" / "uv"
    blocked.parent.write_text("no folder", encoding="utf-8")
    variables, (sentence,) = INSTALL["cache_variables"](blocked, tmp_path, {})
    assert variables == {"UV_CACHE_DIR": str(tmp_path / ".uv-cache")}
    assert "removed" in sentence
    assert INSTALL["cache_variables"](tmp_path / "cache", tmp_path, {}) == ({}, [])


def test_files_are_copied_from_a_cache_on_another_disk(tmp_path):
    shared = Path("/dev/shm")
    if not shared.is_dir() or shared.stat().st_dev == tmp_path.stat().st_dev or not os.access(shared, os.W_OK):
        pytest.skip("only one disk here")
    assert INSTALL["cache_variables"](shared, tmp_path, {})[0] == {"UV_LINK_MODE": "copy"}
    assert INSTALL["cache_variables"](shared, tmp_path, {"UV_LINK_MODE": "symlink"}) == ({}, [])


def test_pip_alone_and_uv_install_the_same_files():
    pip, uv = (INSTALL["commands"](installer, "default") for installer in ("pip", "uv"))
    assert [command[-2:] for command in pip[:2]] == [["-r", "requirements.txt"], ["-e", "."]]
    assert [command[-2:] for command in uv] == [command[-2:] for command in pip]
    assert not any("uv" in command for command in pip)
    assert "--torch-backend=cpu" in INSTALL["commands"]("uv", "cpu")[0]
    assert INSTALL["commands"]("uv", "cpu")[0][-1] == "requirements-cpu.txt"


def test_both_leave_bytecode_for_every_process_to_come():
    """Where PYTHONDONTWRITEBYTECODE is set, as in many containers, no import would leave any."""
    pip, uv = (INSTALL["commands"](installer, "default") for installer in ("pip", "uv"))
    assert "--compile-bytecode" in uv[0] and "--compile-bytecode" not in pip[0]  # which pip does unasked
    assert pip[2] == uv[2] and pip[2][1:4] == ["-m", "compileall", "-q"] and set(pip[2][4:]) == set(PACKAGES)


def test_a_dry_run_says_the_commands_and_touches_nothing():
    ready = PROJECT / ".venv" / ".ready"
    before = ready.read_bytes() if ready.exists() else None
    command = [sys.executable, str(PROJECT / "tools" / "install.py"), "--installer", "pip", "--dry-run"]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert said.returncode == 0, said.stderr
    lines = said.stdout.splitlines()
    assert " -m venv " in lines[0] and " -m pip install " in lines[1] and lines[-2].endswith("-e .")
    assert (ready.read_bytes() if ready.exists() else None) == before


def test_the_build_of_torch_is_kept_and_not_mixed(tmp_path):
    chosen = INSTALL["chosen"]
    assert chosen(None, tmp_path) == "default" and chosen("cpu", tmp_path) == "cpu"
    (tmp_path / ".ready").touch()  # as older states of the course left it
    assert chosen(None, tmp_path) == "default"
    with pytest.raises(SystemExit, match=r"delete \.venv"):
        chosen("cpu", tmp_path)
    (tmp_path / ".ready").unlink()
    (tmp_path / INSTALL["BUILD"]).write_text("cpu\n", encoding="utf-8")  # of a setup that broke off
    assert chosen(None, tmp_path) == "cpu"
    with pytest.raises(SystemExit, match="holds the cpu build of torch, default was asked for"):
        chosen("default", tmp_path)


def test_a_wheel_without_its_library_is_brought_anew_by_pip(tmp_path, monkeypatch, capsys):
    bring = INSTALL["bring_libraries"]
    can, called = iter([False, True]), []
    monkeypatch.setitem(bring.__globals__, "runs", lambda python, name: next(can))
    bring(tmp_path / "python", called.append)
    (command,) = called
    assert command[-3:] == ["--force-reinstall", "--no-deps", INSTALL["pinned"]("soundfile")] and "pip" in command
    assert "still" not in capsys.readouterr().out
    monkeypatch.setitem(bring.__globals__, "runs", lambda python, name: False)
    bring(tmp_path / "python", called.append)
    assert "soundfile still cannot be imported; it needs libsndfile" in capsys.readouterr().out


def test_what_can_be_imported_is_left_as_it_is(capsys):
    INSTALL["bring_libraries"](sys.executable, None)
    assert not INSTALL["runs"](sys.executable, "no_such_module")
    assert capsys.readouterr().out == ""
