"""The workflows without a runner: every script parses, and what it calls is in the repository."""

import re
import shutil
import subprocess

import pytest
import versions
import yaml

from course_utils import PROJECT

FILES = sorted((PROJECT / ".github" / "workflows").glob("*.yml"))
STEPS = [
    (path.stem, name, number, step)
    for path in FILES
    for name, job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].items()
    for number, step in enumerate(job["steps"])
]
SCRIPTS = [(f"{file}-{job}-{number}", step["run"]) for file, job, number, step in STEPS if "run" in step]
TARGETS = set(re.findall(r"^([a-z][a-z-]*):", (PROJECT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash here to parse the scripts")
@pytest.mark.parametrize("script", [script for _, script in SCRIPTS], ids=[name for name, _ in SCRIPTS])
def test_a_script_parses(script):
    plain = re.sub(r"\$\{\{.*?\}\}", "value", script)
    done = subprocess.run(["bash", "-n"], input=plain, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("script", [script for _, script in SCRIPTS], ids=[name for name, _ in SCRIPTS])
def test_what_a_script_calls_is_there(script):
    files = re.findall(r"(?:python3?|bash) ((?:tools|scripts|web|benchmarks)/\S+\.(?:py|sh))", script)
    assert [file for file in files if not (PROJECT / file).is_file()] == []
    tests = re.findall(r"(?<![\w/])tests/[\w/.]+", script)
    assert [path for path in tests if not (PROJECT / path).exists()] == []
    targets = set(re.findall(r"\bmake ([a-z-]+)", script))
    assert targets <= TARGETS
    for steps in re.findall(r"tools/testing/all\.py((?: [a-z]+)*)", script):
        known = re.search(
            r"^STEPS = .*\(([a-z, ]+)\)\}", (PROJECT / "tools/testing/all.py").read_text(encoding="utf-8"), re.M
        )
        assert set(steps.split()) <= set(known[1].replace(" ", "").split(","))


def jobs(file):
    return yaml.safe_load((PROJECT / ".github" / "workflows" / file).read_text(encoding="utf-8"))["jobs"]


def test_the_matrix_installs_by_the_program_that_readme_names():
    for name in ("unit", "chapters"):
        scripts = "\n".join(step.get("run", "") for step in jobs("ci.yml")[name]["steps"])
        assert "python tools/install.py" in scripts and "pip install" not in scripts, name
    assert "tools/install.py" in (PROJECT / "README.md").read_text(encoding="utf-8")


def test_every_night_sees_the_newest_torch_and_the_nightly_one():
    job = jobs("nightly.yml")["torch"]
    assert tuple(job["strategy"]["matrix"]["torch"]) == versions.FLOATING
    (script,) = (step["run"] for step in job["steps"] if "versions.py" in step.get("run", ""))
    assert "--no-record" in script and "pipefail" in script, "a failure must not be lost in `tee`"


def test_a_failure_keeps_what_was_executed():
    for path in FILES:
        for name, job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].items():
            runs = any(
                re.search(r"all\.py|course run|make (run|test|gpu)", step.get("run", "")) for step in job["steps"]
            )
            kept = [step for step in job["steps"] if "upload" in step.get("uses", "")]
            assert not runs or kept, f"{path.name}, {name}"


def test_every_job_ends_some_time_and_may_write_no_more_than_it_must():
    for path in FILES:
        text = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert set(text["permissions"].values()) == {"read"}, path.name
        for name, job in text["jobs"].items():
            assert 5 <= job["timeout-minutes"] <= 180, f"{path.name}, {name}"


def test_everything_runs_each_night():
    scripts = [step.get("run", "") for job in jobs("nightly.yml").values() for step in job["steps"]]
    assert any("make test-all" in script for script in scripts)
