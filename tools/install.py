"""Prepare .venv: the pinned packages and the course itself. Needs nothing but Python; `make setup` calls it.

    python tools/install.py                   by uv, which pip fetches into .venv (its version is pinned too)
    python tools/install.py --installer pip   by pip alone: the same packages, several times the minutes
    python tools/install.py --torch cpu       on Linux torch without CUDA: 0.5 GB to download, not 3.3 GB; no GPU
    python tools/install.py --dry-run         say the commands, do nothing

uv is told what pip is configured with (index, folder of wheels, certificate, proxy), so that one setting serves
both: offline, PIP_NO_INDEX=1 PIP_FIND_LINKS=/path/to/wheels. Where uv's cache cannot be written, as for a user
without a home, one inside .venv serves for as long as the setup takes.
"""

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT))  # the course is not installed yet
from lessonkit.system import pip_settings  # noqa: E402

VENV = PROJECT / ".venv"
READY = VENV / ".ready"
BUILD = ".torch"  # in .venv: which build of torch was asked for, known also after a setup that broke off
PYTHON = VENV / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
REQUIREMENTS = {"default": "requirements.txt", "cpu": "requirements-cpu.txt"}
QUIET = "--disable-pip-version-check"
OURS = ["--no-deps", "--no-build-isolation", "-e", "."]  # the course itself; setuptools is among the packages
PACKAGES = ("course_utils", "lessonkit", "torch_clinic")
# Packages with a wheel for each system, a library in it, and one for any system, without: what that one needs.
LIBRARIES = {"soundfile": "libsndfile (Debian and Ubuntu: apt-get install libsndfile1)"}


def pinned(name):
    """`uv==0.13.9`, as requirements.txt has it."""
    lines = (PROJECT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return next(line.split(";")[0].strip() for line in lines if line.startswith(f"{name}=="))


def commands(installer, torch, arguments=()):
    """The commands that fill .venv: the packages, the course, then its bytecode. `arguments` are uv's.

    Without bytecode every process compiles torch's thousand modules anew where PYTHONDONTWRITEBYTECODE is set or
    .venv cannot be written, which takes seconds. pip leaves it by itself, uv where it is told to.
    """
    if installer == "pip":
        install = [str(PYTHON), "-m", "pip", "install", QUIET]
    else:
        backend = ["--torch-backend=cpu"] if torch == "cpu" else []  # so uv knows PyTorch's own index
        install = [str(PYTHON), "-m", "uv", "pip", "install", "--python", str(PYTHON), *arguments, *backend]
    compiling = [] if installer == "pip" else ["--compile-bytecode"]
    own = [str(PYTHON), "-m", "compileall", "-q", *PACKAGES]
    return [[*install, *compiling, "-r", REQUIREMENTS[torch]], [*install, *OURS], own]


def chosen(torch, venv=VENV):
    """The build of torch: what was asked for, else what .venv holds or was to hold, else the default one.

    Ends the program where the two differ: packages of the other build would stay behind.
    """
    kept = None
    if (venv / BUILD).exists():
        kept = (venv / BUILD).read_text(encoding="utf-8").strip()
    elif (venv / READY.name).exists():  # as older states of the course left it
        kept = "default"
    if torch and kept and torch != kept:
        sys.exit(
            f".venv holds the {kept} build of torch, {torch} was asked for: delete .venv, then run this again."
        )
    return torch or kept or "default"


def cache_variables(asked, folder, environment):
    """(variables, sentences) for uv's cache: `asked`: where uv would put it; `folder`: where packages go."""
    variables, sentences = {}, []
    if not is_writable(asked):
        asked = folder / ".uv-cache"
        variables["UV_CACHE_DIR"] = str(asked)
        sentences.append("uv's cache cannot be written: one in .venv serves this once and is removed.")
    if asked.exists() and asked.stat().st_dev != folder.stat().st_dev and "UV_LINK_MODE" not in environment:
        variables["UV_LINK_MODE"] = "copy"
        sentences.append("uv's cache lies on another disk than .venv: files are copied, not linked.")
    return variables, sentences


def is_writable(folder):
    """Whether files can be made in `folder`, which is made too."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def tell_uv():
    """(environment, arguments) for uv, from pip's settings and the place of its cache; says what is unusual."""
    environment = dict(os.environ)
    settings = pip_settings.of_pip(PYTHON, environment)
    variables, arguments = pip_settings.for_uv(settings, environment)
    if names := pip_settings.not_passed_on(settings):
        print(f"pip's {', '.join(names)}: not passed on to uv; --installer pip follows it.", flush=True)
    ask = [str(PYTHON), "-m", "uv", "cache", "dir"]
    answer = subprocess.run(ask, cwd=PROJECT, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    place = Path(answer.stdout.strip()) if answer.returncode == 0 and answer.stdout.strip() else VENV / ".uv-cache"
    more, sentences = cache_variables(place, VENV, environment)
    print(*sentences, sep="\n", end="\n" if sentences else "", flush=True)
    return environment | variables | more, arguments


def fetch_uv():
    """Fetch uv into .venv by pip; give whether it is there. Where it is not, pip goes on, and says so."""
    fetch = [str(PYTHON), "-m", "pip", "install", QUIET, pinned("uv")]
    if call(fetch) == 0 and subprocess.run([str(PYTHON), "-m", "uv", "--version"]).returncode == 0:
        return True
    print(f"{pinned('uv')} could not be fetched or does not run here: pip goes on, more slowly.", flush=True)
    return False


def call(command, environment=None):
    """Say a command, run it in the project's folder, give its exit status."""
    print(shlex.join(command), flush=True)
    return subprocess.run(command, cwd=PROJECT, env=environment).returncode


def bring_libraries(python=PYTHON, call=call):
    """Install anew by pip what came without its library; say where that does not help.

    Of several indexes with the same version uv takes the first one's file, pip the one that fits the system best.
    """
    for name, needs in LIBRARIES.items():
        if runs(python, name):
            continue
        print(f"{name} came as the wheel for any system, without its library: pip brings this one's.", flush=True)
        call([str(python), "-m", "pip", "install", QUIET, "--force-reinstall", "--no-deps", pinned(name)])
        if not runs(python, name):
            print(f"{name} still cannot be imported; it needs {needs}. Chapter 03 needs it.", flush=True)


def runs(python, name):
    """Whether a module can be imported."""
    return subprocess.run([str(python), "-c", f"import {name}"], stderr=subprocess.DEVNULL).returncode == 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--installer", choices=("uv", "pip"), default="uv")
    parser.add_argument("--torch", choices=tuple(REQUIREMENTS), help="default: what .venv holds, else with CUDA")
    parser.add_argument("--dry-run", action="store_true")
    options = parser.parse_args()
    if not (3, 11) <= sys.version_info < (3, 14):
        sys.exit(f"This is Python {sys.version.split()[0]}: call tools/install.py with Python 3.11, 3.12 or 3.13.")
    torch, installer = chosen(options.torch), options.installer
    make = [sys.executable, "-m", "venv", str(VENV)]
    if options.dry_run:
        print(*map(shlex.join, [make, *commands(installer, torch)]), sep="\n")
        return 0
    READY.unlink(missing_ok=True)  # broken off, this .venv must not count as ready
    environment, arguments = dict(os.environ), []
    if call(make):
        sys.exit("Python could not make .venv: on Debian and Ubuntu install python3-venv, then run this again.")
    (VENV / BUILD).write_text(f"{torch}\n", encoding="utf-8")
    if installer == "uv" and not fetch_uv():
        installer = "pip"
    if installer == "uv":
        environment, arguments = tell_uv()
    elif torch == "cpu" and sys.platform == "linux":
        print("pip finds torch +cpu only where PIP_EXTRA_INDEX_URL names PyTorch's own index.", flush=True)
    try:
        for command in commands(installer, torch, arguments):
            if status := call(command, environment):
                other = " For torch's default build delete .venv first." if torch == "cpu" else ""
                sys.exit(f"{installer} ended with exit status {status}: read above, then run this again.{other}")
    finally:
        shutil.rmtree(VENV / ".uv-cache", ignore_errors=True)
    if installer == "uv":
        bring_libraries()
    READY.touch()
    return 0


if __name__ == "__main__":
    sys.exit(main())
