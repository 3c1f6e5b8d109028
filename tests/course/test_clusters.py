"""The recipes for Slurm and Kubernetes: what can be known of them without a cluster."""

import copy
import re
import shutil
import subprocess
import sys

import pytest
import yaml

from course_utils import PROJECT

SCRIPTS = PROJECT / "scripts"
JOBS = sorted((SCRIPTS / "slurm").glob("*.sbatch"))
SHELL = [*JOBS, SCRIPTS / "slurm" / "try_here.sh", SCRIPTS / "build_horovod.sh"]
MANIFEST = SCRIPTS / "kubernetes" / "train.yaml"
OLDEST = "1.27"  # from here on pods carry the label batch.kubernetes.io/job-name

needs_bash = pytest.mark.skipif(
    sys.platform == "win32" or not shutil.which("bash"), reason="no bash, or one of Windows that sees other paths"
)


def named(paths):
    return {"argvalues": paths, "ids": [path.name for path in paths]}


@needs_bash
@pytest.mark.parametrize("path", **named(SHELL))
def test_bash_can_read_it(path):
    done = subprocess.run(["bash", "-n", path], capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(
    not shutil.which("shellcheck"), reason="shellcheck is not installed: apt-get install shellcheck"
)
@pytest.mark.parametrize("path", **named(SHELL))
def test_shellcheck_has_nothing_to_say(path):
    done = subprocess.run(["shellcheck", "--shell=bash", path], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", **named(JOBS))
def test_a_job_of_slurm_has_a_limit_and_no_port_of_its_own(path):
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    last = max(number for number, line in enumerate(lines) if line.startswith("#SBATCH"))
    assert all(line.startswith("#") for line in lines[:last])  # sbatch reads no option after the first command
    assert "#SBATCH --time=" in text and "set -euo pipefail" in text
    assert re.search(r"^srun ", text, re.MULTILINE)
    ports = re.findall(r"(?:PORT=|:)(\d{4,5})\b", text)
    assert ports == [], "a fixed port: the next job on the same node would find it taken"
    if "--standalone" not in text:
        assert "$((20000 + SLURM_JOB_ID % 10000))" in text and "scontrol show hostnames" in text


@pytest.mark.parametrize("path", [*JOBS, MANIFEST], ids=lambda path: path.name)
def test_what_a_job_trains_is_there(path):
    scripts = re.findall(r"scripts/(\w+\.py)", path.read_text(encoding="utf-8"))
    assert scripts and all((SCRIPTS / name).exists() for name in scripts)


@pytest.mark.skipif(sys.platform == "win32" or not shutil.which("bash"), reason="a shell script")
def test_slurm_is_tried_only_where_it_can_be(tmp_path):
    (tmp_path / "uname").write_text("#!/bin/sh\necho Plan9\n")
    (tmp_path / "uname").chmod(0o755)
    bash = shutil.which("bash")
    done = subprocess.run(
        [bash, SHELL[-2]], env={"PATH": str(tmp_path)}, capture_output=True, text=True, timeout=30
    )
    assert done.returncode == 2
    assert done.stderr.strip() == "try_here: Slurm's daemons and namespaces need Linux; this is Plan9."


def documents():
    return list(yaml.safe_load_all(MANIFEST.read_text(encoding="utf-8")))


def test_the_manifests_fit_the_schema_of_kubernetes():
    reason = "kubernetes-validate, which carries the schemas, is not installed"
    kubernetes_validate = pytest.importorskip("kubernetes_validate", reason=reason)
    for version in (OLDEST, kubernetes_validate.latest_version()):
        for document in documents():
            kubernetes_validate.validate(document, version, strict=True)
    wrong = copy.deepcopy(documents()[1])
    wrong["spec"]["completions"] = "two"
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, OLDEST, strict=True)
    wrong = copy.deepcopy(documents()[1]) | {"specs": {}}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, OLDEST, strict=True)


def test_the_names_in_the_manifests_fit_together():
    service, job = documents()
    pod = job["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    command = container["command"][-1]
    name = job["metadata"]["name"]
    own = {"batch.kubernetes.io/job-name": name}  # the label that Kubernetes gives the job's pods
    assert service["spec"]["clusterIP"] == "None" and service["spec"]["selector"] == own
    assert pod["topologySpreadConstraints"][0]["labelSelector"]["matchLabels"] == own
    assert pod["subdomain"] == service["metadata"]["name"]
    first = f"{name}-0.{pod['subdomain']}"
    assert f"getent hosts {first};" in command and f"--rdzv-endpoint={first}:" in command
    nodes = int(re.search(r"--nnodes=(\d+)", command)[1])
    assert job["spec"]["completionMode"] == "Indexed"
    assert job["spec"]["completions"] == job["spec"]["parallelism"] == nodes
    assert {mount["name"] for mount in container["volumeMounts"]} == {volume["name"] for volume in pod["volumes"]}
    assert container["image"] == "pytorch-course:replace-me"  # nobody's image is named here


@needs_bash
def test_the_command_of_a_pod_is_read_by_bash():
    command = documents()[1]["spec"]["template"]["spec"]["containers"][0]["command"][-1]
    done = subprocess.run(["bash", "-n", "-c", command], capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr
