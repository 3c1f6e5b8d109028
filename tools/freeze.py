"""Write requirements.txt from what is installed: `python tools/freeze.py`. Exact versions, markers where needed.

requirements-cpu.txt follows from it: on Linux torch and torchvision without CUDA, and none of CUDA's packages.

A plain `pip freeze` on Linux pins CUDA libraries that Windows and macOS cannot install. So the tree of
requirements is walked once for each platform and Python version the course supports, and a package gets
a marker when only some of them need it. Packages that only *other* platforms need are not installed here;
their lines, below the second heading, are kept as they are.

    python tools/freeze.py        rewrites both files
    python tools/freeze.py --cpu  rewrites requirements-cpu.txt alone, from requirements.txt as it is
"""

import argparse
import itertools
import re
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from course_utils import PROJECT

REQUIREMENTS = PROJECT / "requirements.txt"
CPU = PROJECT / "requirements-cpu.txt"
CPU_HEADING = """\
# The same as requirements.txt for Linux without a GPU: `make setup TORCH=cpu`. Made from it by tools/freeze.py.
# The builds +cpu lie in PyTorch's own index, which uv knows as --torch-backend=cpu.
"""
CUDA = re.compile(r"(nvidia-(?!ml-py)|cuda-|triton==)")  # nvidia-ml-py asks the driver, and is small
PYTHONS = ("3.11", "3.12", "3.13")
PLATFORMS = {"linux": ("Linux", "posix"), "darwin": ("Darwin", "posix"), "win32": ("Windows", "nt")}
HEADING = """\
# Exact versions of everything the course runs on, known to work together (Python 3.11 to 3.13).
# Made by `make freeze` from a working .venv; pyproject.toml holds the loose lower bounds.
"""
ELSEWHERE = "# Needed only where the lines above were not made: versions chosen by hand."


def environments():
    """Every pair (platform, Python version), with the marker variables that describe it."""
    for platform, version in itertools.product(PLATFORMS, PYTHONS):
        system, os_name = PLATFORMS[platform]
        yield (
            (platform, version),
            {
                "sys_platform": platform,
                "platform_system": system,
                "os_name": os_name,
                "python_version": version,
                "python_full_version": f"{version}.9",
                "implementation_name": "cpython",
                "platform_python_implementation": "CPython",
                "platform_machine": "arm64" if platform == "darwin" else "x86_64",
            },
        )


def needs(name, extras, environment):
    """Requirements of an installed package that hold in one environment."""
    for text in distribution(name).requires or ():
        requirement = Requirement(text)
        marker = requirement.marker
        if marker is None or any(marker.evaluate({**environment, "extra": e}) for e in ("", *extras)):
            yield requirement


def declared():
    """What pyproject.toml asks for, the tools of the tests included."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*project["dependencies"], *itertools.chain(*project["optional-dependencies"].values())]
    return [Requirement(line) for line in lines]


def walk(roots):
    """name -> the set of (platform, version) that need it; absent packages are in the result too."""
    needed = {}
    for where, environment in environments():
        asked = [r for r in roots if r.marker is None or r.marker.evaluate(environment)]
        todo, seen = [(canonicalize_name(r.name), frozenset(r.extras)) for r in asked], set()
        while todo:
            name, wanted = todo.pop()
            if (name, wanted) in seen:
                continue
            seen.add((name, wanted))
            needed.setdefault(name, set()).add(where)
            try:
                found = list(needs(name, wanted, environment))
            except PackageNotFoundError:
                continue  # another platform's package: its line is written by hand
            todo += [(canonicalize_name(r.name), frozenset(r.extras)) for r in found]
    return needed


def marker(where):
    """The shortest marker that holds in exactly these environments, or an empty string for all of them."""
    platforms = {platform for platform, _ in where}
    versions = {version for _, version in where}
    if where != set(itertools.product(platforms, versions)):
        raise SystemExit(f"No marker written for {sorted(where)}: add a case to tools/freeze.py.")
    parts = []
    if len(platforms) == 1:
        parts.append(f'sys_platform == "{min(platforms)}"')
    elif len(platforms) == 2:
        parts.append(f'sys_platform != "{min(set(PLATFORMS) - platforms)}"')
    if versions == {PYTHONS[0]}:
        parts.append(f'python_version < "{PYTHONS[1]}"')
    elif len(versions) == 1:
        parts.append(f'python_version == "{min(versions)}"')
    elif versions == set(PYTHONS[:2]):
        parts.append(f'python_version < "{PYTHONS[2]}"')
    elif versions == set(PYTHONS[1:]):
        parts.append(f'python_version >= "{PYTHONS[1]}"')
    elif len(versions) == 2:
        parts.append(f'python_version != "{PYTHONS[1]}"')
    return " and ".join(parts)


def without_cuda(requirements):
    """The text of requirements-cpu.txt that goes with the text of requirements.txt."""
    lines = []
    for line in requirements.splitlines():
        if not line or line.startswith("#") or CUDA.match(line):
            continue
        if re.match(r"(torch|torchvision)==", line):
            lines += [f'{line}+cpu ; sys_platform == "linux"', f'{line} ; sys_platform != "linux"']
        else:
            lines.append(line)
    return CPU_HEADING + "\n".join(lines) + "\n"


def write_cpu():
    """Write requirements-cpu.txt from requirements.txt."""
    CPU.write_text(without_cuda(REQUIREMENTS.read_text(encoding="utf-8")), encoding="utf-8")


def main():
    kept = REQUIREMENTS.read_text(encoding="utf-8").partition(ELSEWHERE)[2] if REQUIREMENTS.exists() else ""
    by_hand = {canonicalize_name(Requirement(line).name) for line in kept.splitlines() if line.strip()}
    lines, absent = [], []
    for name, where in sorted(walk(declared()).items()):
        try:
            pin = f"{name}=={distribution(name).version}"
        except PackageNotFoundError:
            absent += [] if name in by_hand else [f"{name} ; {marker(where)}"]
            continue
        rule = marker(where)
        lines.append(f"{pin} ; {rule}" if rule else pin)
    REQUIREMENTS.write_text(HEADING + "\n".join(lines) + f"\n\n{ELSEWHERE}{kept or chr(10)}", encoding="utf-8")
    write_cpu()
    print(f"{REQUIREMENTS.name}: {len(lines)} packages pinned, {len(by_hand)} kept for other platforms.")
    if absent:
        sys.exit("Not installed here and not pinned by hand yet, add them below: " + ", ".join(absent))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cpu", action="store_true")
    write_cpu() if parser.parse_args().cpu else main()
