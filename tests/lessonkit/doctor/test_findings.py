"""Every finding of the engine's doctor, on machines that are imitated; and one look at the real one."""

import errno
import py_compile
import socket
import sys
import webbrowser
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace

import pytest

from lessonkit.doctor import facts
from lessonkit.doctor.facts import Facts
from lessonkit.doctor.findings import examine, merged
from lessonkit.system import limits
from lessonkit.system.course import CourseError
from lessonkit.system.finding import Finding, Found

GIB = 1 << 30
HEALTHY = Facts(
    system="Linux",
    python=(3, 12, 4),
    work_seconds=0.012,
    memory_free=16 * GIB,
    shared_memory_free=8 * GIB,
    disk_free=100 * GIB,
    folders={"results": "", "data/cache": ""},
    browser="firefox",
)


def look(name, **changed):
    """The finding of that name on a healthy machine with these facts changed."""
    (finding,) = [f for f in examine(replace(HEALTHY, **changed)) if f.name == name]
    return finding


def test_nothing_is_said_about_a_healthy_machine():
    findings = examine(HEALTHY)
    assert [f for f in findings if f.state != "ok" or f.fix] == []
    assert len({f.name for f in findings}) == len(findings) == 15


def test_a_course_s_findings_stand_where_it_says():
    one, two, lost = (Finding(name, "ok", "fine") for name in ("one", "two", "lost"))
    course = Found(findings={"packages": [one, two], "no such finding": [lost]})
    names = [finding.name for finding in examine(replace(HEALTHY, course=course))]
    assert names[1:5] == ["packages", "one", "two", "bytecode"] and names[-2:] == ["browser", "lost"]
    assert merged([("a", 1)], {}) == [("a", 1)]


def test_a_speed_that_cannot_be_measured_names_the_package_that_is_needed():
    unmeasured = replace(HEALTHY, work_seconds=None)
    assert "speed" not in {finding.name for finding in examine(unmeasured)}  # a course without such a hook
    (speed,) = [one for one in examine(replace(unmeasured, course=Found(lacks="jax"))) if one.name == "speed"]
    assert (speed.state, speed.found) == ("warning", "not measured") and speed.fix.startswith("Fix jax first")


TROUBLES = [
    ("Python", {"python": (3, 10, 13)}, "problem", "3.10.13", "Install Python 3.11"),
    ("Python", {"python": (3, 14, 0)}, "problem", "3.14.0", "Install Python 3.11"),
    ("packages", {"missing": ("timm", "soundfile")}, "problem", "missing: timm, soundfile", "make setup"),
    ("packages", {"missing": tuple("abcdefgh")}, "problem", "a, b, c, d, e, f and others", "make setup"),
    (
        "bytecode",
        {"uncompiled": (1800, 2000, 3.94)},
        "warning",
        "missing for 1800 of 2000",
        "compileall",
    ),
    ("bytecode", {"uncompiled": (1800, 2000, 3.94)}, "warning", "about 3.9 s here", "make setup"),
    ("progress", {"listens": False}, "warning", "progress is not noted", "make setup"),
    ("memory", {"memory_free": 2 * GIB}, "warning", "2.0 GiB", "Close other programs"),
    ("memory", {"memory_free": GIB // 2}, "problem", "512 MiB", "Close other programs"),
    ("/dev/shm", {"shared_memory_free": 64 << 20}, "warning", "64 MiB", "--shm-size"),
    ("/dev/shm", {"shared_memory_free": 0}, "problem", "0 MiB", "--shm-size"),
    ("disk", {"disk_free": GIB}, "warning", "1.0 GiB", "2 GiB"),
    ("disk", {"disk_free": 1 << 20}, "problem", "1 MiB", "2 GiB"),
    ("folders", {"folders": {"build": "", "results": "Permission denied"}}, "problem", "results (Perm", "clone"),
    ("ports", {"loopback_error": "[Errno 99] Cannot assign"}, "problem", "Errno 99", "127.0.0.1"),
    ("text", {"encoding": "ascii"}, "warning", "beyond ASCII", "Unset PYTHONUTF8"),
    ("home", {"home_error": "Permission denied"}, "warning", "kept there: Permission denied", "Set HOME"),
    ("clock", {"now": facts.EDITION - timedelta(days=1)}, "warning", "2025-12-31 00:00", "Set the clock"),
    ("clock", {"now": facts.EDITION + timedelta(days=4402)}, "warning", "2038-01-20", "Set the clock"),
    ("proxy", {"proxy": "http", "proxy_error": "a web page"}, "warning", "set for http; a web page", "HTTP_PROXY"),
    ("browser", {"browser": None}, "warning", "none", "Copy the address"),
]


@pytest.mark.parametrize(("name", "changed", "state", "found", "fix"), TROUBLES)
def test_trouble_is_named_with_its_fix_in_one_sentence(name, changed, state, found, fix):
    finding = look(name, **changed)
    assert finding.state == state
    assert found in finding.found
    assert fix in finding.fix
    assert finding.fix.endswith(".") and ". " not in finding.fix


@pytest.mark.parametrize(
    ("name", "changed", "found"),
    [
        ("course folder", {"path": ("a space",)}, "a space in its path; everything runs"),
        ("course folder", {"case_counts": False}, "one there, and everything runs"),
        ("text", {"encoding": "cp1252"}, "written as cp1252"),
        ("bytecode", {"uncompiled": (30, 2000, 0.1)}, "kept"),
        ("clock", {"now": facts.EDITION + timedelta(days=3000)}, "2034"),
        ("proxy", {"proxy": "http and https"}, "set for http and https; a server of data answers"),
        ("proxy", {"proxy": "http", "proxy_error": None}, "set for http; no server was asked"),
        ("/dev/shm", {"shared_memory_free": None, "system": "Windows"}, "not used on Windows"),
    ],
)
def test_what_is_no_trouble(name, changed, found):
    finding = look(name, **changed)
    assert finding.state == "ok"
    assert found in finding.found


def test_the_real_machine_is_examined_without_leaving_anything(project):
    before = {path for folder in facts.FOLDERS for path in project.glob(f"{folder}/*")}
    real = facts.gather()
    states = {f.name: f.state for f in examine(real)}
    assert states["Python"] == states["packages"] == states["ports"] == "ok"
    assert set(states.values()) <= {"ok", "warning", "problem"}
    assert real.work_seconds > 0 and real.disk_free > 0 and real.course.findings and not real.course.lacks
    assert real.missing == () and 0 < real.memory_free <= real.memory_total
    new = {path for folder in facts.FOLDERS for path in project.glob(f"{folder}/*")} - before
    assert not [path for path in new if path.name.startswith("tmp")]


def test_modules_without_bytecode_are_counted_with_what_compiling_them_takes(tmp_path, monkeypatch):
    for number in range(21):
        (tmp_path / f"of_the_doctor_{number}.py").write_text("x = 1\n" * 2000, encoding="utf-8")
        name = f"of_the_doctor_{number}"
        monkeypatch.setitem(sys.modules, name, SimpleNamespace(__file__=str(tmp_path / f"{name}.py")))
    before, imported, seconds = facts.uncompiled()
    assert before >= 21 and imported > before - 21 and seconds > 0
    for path in tmp_path.glob("*.py"):
        py_compile.compile(str(path))
    assert facts.uncompiled()[0] == before - 21


def test_limits_of_a_container_are_read(tmp_path):
    quota = tmp_path / "cpu.max"
    assert limits.cpu_quota(quota) is None
    quota.write_text("max 100000\n")
    assert limits.cpu_quota(quota) is None
    quota.write_text("150000 100000\n")
    assert limits.cpu_quota(quota) == 1.5
    assert limits.memory_limit(tmp_path) == float("inf")
    (tmp_path / "memory.max").write_text("3000\n")
    (tmp_path / "memory.current").write_text("1000\n")
    assert limits.memory_limit(tmp_path) == 2000
    (tmp_path / "memory.max").write_text("max\n")
    assert limits.memory_limit(tmp_path) == float("inf")


def test_the_limit_of_each_group_around_a_process_counts(tmp_path):
    own = tmp_path / "own"
    own.write_text("4:memory:/box/inner\n3:cpu:/\n0::/slice\n")
    for name, limit, used, stat in (
        ("memory/box", "6000\n", "1000\n", "total_inactive_file 300\ntotal_active_file 200\ninactive_file 1\n"),
        ("memory/box/inner", f"{1 << 62}\n", "900\n", ""),
    ):
        group = tmp_path / name
        group.mkdir(parents=True)
        (group / "memory.limit_in_bytes").write_text(limit)
        (group / "memory.usage_in_bytes").write_text(used)
        (group / "memory.stat").write_text(stat)
    assert limits.memory_limit(tmp_path, own) == 5500  # pages of files can be dropped
    (tmp_path / "slice").mkdir()
    for name, text in (("max", "4000\n"), ("current", "4500\n"), ("stat", "inactive_file 100\nactive_file 50\n")):
        (tmp_path / "slice" / f"memory.{name}").write_text(text)
    assert limits.memory_limit(tmp_path, own) == 0
    assert limits.memory_limit(tmp_path, tmp_path / "nowhere") == float("inf")


def test_the_ground_is_measured(tmp_path, monkeypatch):
    assert facts.oddities("/home/ana/course") == ()
    assert facts.oddities("/home/Clé de René") == ("a space", "letters beyond ASCII")
    (tmp_path / "a.py").touch()
    assert facts.case_counts(tmp_path / "a.py") is not (tmp_path / "A.PY").exists()
    (tmp_path / "A.PY").touch()
    assert not facts.case_counts(tmp_path / "a.py")

    def nobody(path):
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(facts.Path, "expanduser", nobody)
    assert facts.why_no_home() == "the system names none"


def test_a_proxy_is_asked_only_where_one_is_set(monkeypatch):
    monkeypatch.setattr(facts.urllib.request, "getproxies", lambda: {"no": "localhost"})
    monkeypatch.setattr(facts, "hook", lambda name: pytest.fail("asked"))
    assert facts.proxy() == {}
    monkeypatch.setattr(facts.urllib.request, "getproxies", lambda: {"https": "http://a", "http": "http://a"})
    data = SimpleNamespace(why_offline=lambda: "nothing within 5 s", DataError=ValueError)
    monkeypatch.setattr(facts, "hook", {"data": data}.get)
    assert facts.proxy() == {"proxy": "http and https", "proxy_error": "nothing within 5 s"}
    monkeypatch.setattr(facts, "hook", {}.get)
    assert facts.proxy() == {"proxy": "http and https", "proxy_error": None}

    def broken(name):
        raise CourseError("no torch")

    monkeypatch.setattr(facts, "hook", broken)
    assert facts.proxy() == {"proxy": "http and https", "proxy_error": None}


def test_ports_and_browsers_that_are_not_there(monkeypatch):
    def no_server(address):
        raise OSError(errno.EADDRNOTAVAIL, "Cannot assign requested address")

    def no_browser():
        raise webbrowser.Error("could not locate runnable browser")

    monkeypatch.setattr(socket, "create_server", no_server)
    monkeypatch.setattr(webbrowser, "get", no_browser)
    assert "Cannot assign" in facts.why_no_loopback()
    assert facts.browser() is None
