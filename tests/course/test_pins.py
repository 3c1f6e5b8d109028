"""pyproject.toml, requirements.txt, environment.yml and the workflows ask for the same, and it is installed."""

import runpy
import tomllib
from importlib.metadata import PackageNotFoundError, distribution

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from course_utils import PROJECT

FREEZE = runpy.run_path(str(PROJECT / "tools" / "freeze.py"))
ENVIRONMENTS = dict(FREEZE["environments"]())
LINES = (PROJECT / "requirements.txt").read_text(encoding="utf-8").splitlines()


def requirements(lines):
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


PINS = {canonicalize_name(r.name): r for r in requirements(LINES)}
CPU = (PROJECT / "requirements-cpu.txt").read_text(encoding="utf-8")
PYPROJECT = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))


def version(pin):
    """The one version that a pin names."""
    (specifier,) = pin.specifier
    assert specifier.operator == "==" and "*" not in specifier.version, f"{pin} is not an exact version"
    return specifier.version


def holds(pin, environment=None):
    return pin.marker is None or pin.marker.evaluate(environment)


def test_every_line_is_one_exact_version_and_no_index_is_named():
    assert len(PINS) == sum(bool(line) and not line.startswith("#") for line in LINES)
    for pin in PINS.values():
        assert version(pin)
        assert pin.url is None
    assert not [line for line in LINES if line.startswith("-") or "://" in line]


@pytest.mark.parametrize("bound", FREEZE["declared"](), ids=str)
def test_a_lower_bound_of_pyproject_is_met_by_its_pin(bound):
    pin = PINS.get(canonicalize_name(bound.name))
    assert pin is not None, f"{bound.name} is not in requirements.txt: run `make freeze`"
    assert bound.specifier.contains(version(pin)), f"{pin} does not meet {bound}: run `make freeze`"
    assert {s.operator for s in bound.specifier} == {">="}, f"{bound}: pyproject.toml holds loose lower bounds only"


@pytest.fixture(scope="module")
def needs():
    """Package -> the (platform, Python) pairs that need it, by what the installed packages say."""
    return FREEZE["walk"](FREEZE["declared"]())


@pytest.mark.parametrize(("where", "environment"), ENVIRONMENTS.items(), ids=map("-".join, ENVIRONMENTS))
def test_everything_needed_on_a_platform_is_pinned_there(where, environment, needs):
    needed = {name for name, places in needs.items() if where in places}
    pinned = {name for name, pin in PINS.items() if holds(pin, environment)}
    assert needed - pinned == set(), "run `make freeze`"
    by_hand = LINES[LINES.index(FREEZE["ELSEWHERE"]) :]
    spare = {name for name in pinned - needed if not any(line.startswith(f"{name}==") for line in by_hand)}
    assert spare == set(), "pinned and needed by nothing: run `make freeze`"


def test_the_file_for_machines_without_a_gpu_follows_from_the_other_one():
    text = (PROJECT / "requirements.txt").read_text(encoding="utf-8")
    assert FREEZE["without_cuda"](text) == CPU, "run `python tools/freeze.py --cpu`"


@pytest.mark.parametrize(("where", "environment"), ENVIRONMENTS.items(), ids=map("-".join, ENVIRONMENTS))
def test_without_a_gpu_the_same_packages_are_pinned_but_for_cuda(where, environment):
    def versions(pins):
        chosen = [pin for pin in pins if holds(pin, environment)]
        found = {canonicalize_name(pin.name): version(pin) for pin in chosen}
        assert len(found) == len(chosen), "a package is pinned twice"
        return found

    whole, cpu = versions(PINS.values()), versions(requirements(CPU.splitlines()))
    gone = set(whole) - set(cpu)
    assert all(name.startswith(("nvidia-", "cuda-", "triton")) for name in gone) and "nvidia-ml-py" in cpu
    assert bool(gone) == (where[0] == "linux")
    local = "+cpu" if where[0] == "linux" else ""
    builds = {name: whole[name] + local for name in ("torch", "torchvision")}
    assert cpu == {name: found for name, found in whole.items() if name not in gone} | builds


def test_torch_and_torchvision_are_a_pair():
    torch, vision = (version(PINS[name]).split(".") for name in ("torch", "torchvision"))
    assert int(vision[1]) == int(torch[1]) + 15


def test_the_conda_environment_takes_the_same_pins():
    environment = yaml.safe_load((PROJECT / "environment.yml").read_text(encoding="utf-8"))
    plain = [entry for entry in environment["dependencies"] if isinstance(entry, str)]
    (pip,) = (entry["pip"] for entry in environment["dependencies"] if isinstance(entry, dict))
    assert pip == ["-r requirements.txt", "-e ."]
    assert sorted(entry.split("=")[0] for entry in plain) == ["pip", "python"]
    (python,) = (entry.split("=")[1] for entry in plain if entry.startswith("python="))
    assert SpecifierSet(PYPROJECT["project"]["requires-python"]).contains(f"{python}.0")


def test_pythons_are_the_same_everywhere():
    asked = SpecifierSet(PYPROJECT["project"]["requires-python"])
    pythons = [f"3.{minor}" for minor in range(8, 20) if asked.contains(f"3.{minor}.1")]
    assert pythons == list(FREEZE["PYTHONS"])
    workflow = yaml.safe_load((PROJECT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))
    for job in ("unit", "chapters"):
        assert workflow["jobs"][job]["strategy"]["matrix"]["python"] == pythons


def test_what_is_installed_is_what_is_pinned_and_fits_every_python():
    wrong, pins = [], PINS
    if distribution("torch").version.endswith("+cpu"):
        pins = {canonicalize_name(pin.name): pin for pin in requirements(CPU.splitlines()) if holds(pin)}
    for name, pin in pins.items():
        if not holds(pin):
            continue  # for another platform or Python version
        try:
            found = distribution(name)
        except PackageNotFoundError:
            wrong.append(f"{pin} is not installed")
            continue
        if found.version != version(pin):
            wrong.append(f"{name} {found.version} is installed, {pin} is pinned")
        asked = SpecifierSet(found.metadata.get("Requires-Python") or "")
        # The first releases too: Debian 12 has 3.11.2, and a package that asks for 3.11.5 stops the setup there.
        releases = [f"{python}.{micro}" for python in FREEZE["PYTHONS"] for micro in (0, 20)]
        wrong += [f"{pin} does not run on Python {p}" for p in releases if not asked.contains(p)]
    assert not wrong, "run `make setup`:\n" + "\n".join(wrong)
