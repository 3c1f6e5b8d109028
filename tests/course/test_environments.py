"""Dockerfile, devcontainer and Binder: the same Pythons and pins as everywhere, and files that are there."""

import json
import os
import re
import tomllib

import pytest
import yaml
from packaging.specifiers import SpecifierSet

from course_utils import PROJECT

DOCKERFILE = (PROJECT / "Dockerfile").read_text(encoding="utf-8")
BINDER = PROJECT / ".binder"
ASKED = SpecifierSet(
    tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]
)


def test_each_is_of_a_python_that_the_course_supports():
    container = json.loads((PROJECT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
    images = [*re.findall(r"^FROM (\S+)$", DOCKERFILE, re.MULTILINE), container["image"]]
    pythons = [re.fullmatch(r"python:(3\.\d+)(?:-slim)?", image)[1] for image in images]
    assert len(pythons) == 2 and len(set(pythons)) == 1
    assert ASKED.contains(f"{pythons[0]}.0")
    there, here = (
        yaml.safe_load(path.read_text(encoding="utf-8"))
        for path in (BINDER / "environment.yml", PROJECT / "environment.yml")
    )
    pins = [entry for entry in here["dependencies"] if isinstance(entry, str)]
    assert there["dependencies"] == pins and there["name"] == here["name"]


def test_packages_come_from_the_pins_and_nowhere_else():
    container = (PROJECT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8")
    for text in (DOCKERFILE, container):
        assert "python tools/install.py --torch" in text
        assert not re.search(r"pip install|apt-get|https?://", text)
    lines = (BINDER / "postBuild").read_text(encoding="utf-8").splitlines()
    installed = [line for line in lines if re.search(r"\binstall\b", line)]
    assert len(installed) == 3
    assert "grep '^uv==' requirements-cpu.txt" in installed[0] and "-r requirements-cpu.txt" in installed[1]
    assert installed[2].endswith("--no-deps --no-build-isolation -e .")


def test_what_the_dockerfile_copies_is_there_and_enough_to_install():
    copied = re.findall(r"^COPY --chown=learner:learner (.+) (\S+)$", DOCKERFILE, re.MULTILINE)
    sources = [source for names, _ in copied for source in names.split()]
    assert [source for source in sources if not (PROJECT / source).exists()] == []
    before = DOCKERFILE.partition("RUN python tools/install.py")[0]
    for name in ("course_utils", "lessonkit", "torch_clinic"):  # of lessonkit, tools/install.py imports a module
        assert f"COPY --chown=learner:learner {name} {name}\n" in before
    names = ("requirements.txt", "requirements-cpu.txt", "pyproject.toml", "setup.py", "README.md", "LICENSE")
    for name in (*names, "course.toml"):
        assert f" {name} " in before, f"{name} is read by the installation, and copied after it"


def test_the_container_has_a_user_without_rights_and_one_command():
    (user,) = re.findall(r"^USER (\d+)$", DOCKERFILE, re.MULTILINE)
    assert int(user) > 0 and f"--uid {user}" in DOCKERFILE
    assert json.loads(re.search(r"^CMD (.*)$", DOCKERFILE, re.MULTILINE)[1])[:2] == ["course", "lab"]


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps no mark of what can be executed")
def test_binder_can_execute_its_script():
    assert os.access(BINDER / "postBuild", os.X_OK)


def test_who_reports_an_error_is_asked_for_chapter_cell_and_doctor():
    folder = PROJECT / ".github" / "ISSUE_TEMPLATE"
    forms = [
        yaml.safe_load(path.read_text(encoding="utf-8"))
        for path in sorted(folder.glob("*.yml"))
        if path.stem != "config"
    ]
    assert len(forms) == 2
    for form in forms:
        fields = {field["id"]: field for field in form["body"] if "id" in field}
        assert fields["chapter"]["validations"]["required"] is True
        assert "course doctor" in fields["doctor"]["attributes"]["label"]
    text = (PROJECT / ".github" / "pull_request_template.md").read_text(encoding="utf-8")
    assert "Chapter and cell" in text and "course doctor" in text
