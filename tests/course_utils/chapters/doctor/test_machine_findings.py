"""What the course adds to `course doctor`, on machines that are imitated; and one look at the real one."""

import subprocess
import sys
from dataclasses import replace

import pytest

from course_utils.chapters.doctor import command, facts
from course_utils.chapters.doctor.facts import Machine, measure
from course_utils.chapters.doctor.findings import examined
from lessonkit.doctor import findings
from lessonkit.doctor.facts import Facts
from lessonkit.system.finding import Finding

HEALTHY = Machine(
    system="Linux",
    torch="2.14.1+cu130",
    torchvision="0.29.1+cu130",
    cuda_build="13.0",
    cuda_works=True,
    driver=13020,
    cores=8,
    threads=8,
    cpu_capability="AVX512",
    bf16_in_hardware=True,
    data={"mnist": ("full", "MNIST from COURSE_DATA.")},
)


def look(name, **changed):
    """The finding of that name on a healthy machine with these facts changed."""
    found = examined(replace(HEALTHY, **changed)).findings
    (finding,) = [one for group in found.values() for one in group if one.name == name]
    return finding


def test_nothing_is_said_about_a_healthy_machine():
    found = [one for group in examined(HEALTHY).findings.values() for one in group]
    assert [one for one in found if one.state != "ok" or one.fix] == []
    assert len({one.name for one in found}) == len(found) == 6


NO_GPU = {"cuda_works": False, "driver": None}
TROUBLES = [
    ("torch and torchvision", {"torch": None}, "problem", "not installed", "requirements.txt"),
    ("torch and torchvision", {"torch": None, "torch_error": "OSError: libgomp.so.1"}, "problem", "libgomp", "pip"),
    ("torch and torchvision", {"torchvision": None}, "problem", "no torchvision", "requirements.txt"),
    ("torch and torchvision", {"torch": "2.9.0", "torchvision": "0.24.0"}, "problem", "2.11 or newer", "pip"),
    (
        "torch and torchvision",
        {"torchvision": "0.28.0"},
        "problem",
        "goes with torchvision 0.29",
        "a pair that fits",
    ),
    (
        "torch and torchvision",
        {"torchvision_error": "RuntimeError: operator torchvision::nms does not exist"},
        "problem",
        "nms does not exist",
        "a pair that fits",
    ),
    (
        "accelerator",
        {"cuda_works": False, "driver": 12040},
        "problem",
        "supports up to 12.4",
        "Update the NVIDIA driver",
    ),
    ("accelerator", {"cuda_works": False, "cuda_build": None}, "problem", "without CUDA", "Install the CUDA build"),
    ("accelerator", {"cuda_works": False}, "warning", "sees no GPU", "CUDA_VISIBLE_DEVICES"),
    ("processor", {"cpu_capability": "DEFAULT"}, "warning", "DEFAULT", "ATEN_CPU_CAPABILITY"),
    ("processor", {"cpu_capability": None}, "warning", "not asked", "Fix torch"),
    ("threads", {"threads": 16}, "warning", "16 of 8 cores", "OMP_NUM_THREADS=8"),
    ("threads", {"quota": 2.0}, "warning", "8 of 2 cores", "OMP_NUM_THREADS=2"),
    ("threads", {"quota": 0.5}, "warning", "8 of 0.5 cores", "OMP_NUM_THREADS=1"),
    ("threads", {"threads": 1}, "warning", "1 of 8 cores", "Unset OMP_NUM_THREADS"),
    ("data: mnist", {"data": {"mnist": ("none", "nothing")}}, "warning", "nothing", "course data get mnist"),
    ("data: mnist", {"data": {"mnist": ("damaged", "cut short")}}, "problem", "cut short", "course data verify"),
    ("programs", {"compiler": None}, "warning", "no C++ compiler", "`torch.compile`"),
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
        ("accelerator", NO_GPU, "CPU"),
        ("accelerator", NO_GPU | {"mps_works": True}, "mps"),
        ("processor", {"cpu_capability": "DEFAULT", "system": "Darwin"}, "DEFAULT"),
        ("threads", {"cores": 1, "threads": 1}, "1 of 1 cores; chapters run one by one"),
        ("programs", {"git": False}, "no git, which no chapter needs"),
        ("threads", {"threads": 2, "quota": 2.0}, "2 of 2"),
        ("torch and torchvision", {"torch": "3.0.0", "torchvision": "1.2.0"}, "3.0.0"),
        ("data: mnist", {"data": {"mnist": ("sample", "The embedded sample.")}}, "sample"),
    ],
)
def test_what_is_no_trouble(name, changed, found):
    finding = look(name, **changed)
    assert finding.state == "ok"
    assert found in finding.found


IN_ORDER = [
    *("Python", "packages", "torch and torchvision", "accelerator", "processor", "threads", "bytecode", "speed"),
    *(
        "memory",
        "/dev/shm",
        "disk",
        "folders",
        "ports",
        "course folder",
        "text",
        "home",
        "clock",
        "programs",
        "proxy",
    ),
    *("data: mnist", "browser"),
]


def test_the_command_s_lines_keep_their_order():
    healthy = Facts(system="Linux", python=(3, 12, 4), work_seconds=0.012, course=examined(HEALTHY))
    assert [one.name for one in findings.examine(healthy)] == IN_ORDER


def test_the_real_machine_is_examined():
    real = measure()
    assert real.threads and real.data and real.torch
    found = examined(real)
    states = {one.name: one.state for group in found.findings.values() for one in group}
    assert states["torch and torchvision"] == "ok" and set(states.values()) <= {"ok", "warning", "problem"}
    assert set(found.sources) == set(real.data) and found.lacks == ""


def test_a_torch_that_cannot_be_imported_is_a_finding(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    found = facts.torch_facts()
    assert set(found) == {"torch_error"}
    assert "ModuleNotFoundError" in found["torch_error"] or "ImportError" in found["torch_error"]
    assert examined(Machine(system="Linux", **found)).lacks == "torch"


def test_programs_are_looked_for_on_the_path(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert facts.compiler({}) is None and not facts.measure().git
    assert facts.compiler({"CXX": f"{sys.executable} -m"}) == f"{sys.executable} -m"


def test_a_notebook_gets_the_findings_of_the_command(monkeypatch):
    answer = """[{"name": "disk", "state": "problem", "found": "full", "fix": "Empty it."}]"""
    ends = iter([(1, answer, ""), (2, "", "Refused: no course.toml")])

    def run(words, **_):
        assert words[1:] == ["-m", "lessonkit.cli", "doctor", "--json"]
        return subprocess.CompletedProcess(words, *next(ends))

    monkeypatch.setattr(command.subprocess, "run", run)
    assert command.examine() == [Finding("disk", "problem", "full", "Empty it.")]
    with pytest.raises(RuntimeError, match=r"exit status 2.*Refused: no course\.toml"):
        command.examine()
