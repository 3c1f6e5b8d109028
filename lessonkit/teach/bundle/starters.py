"""The small files at a bundle's top: start.py, what starts it by a double click, READ_ME.txt."""

from collections.abc import Iterable
from pathlib import Path

from lessonkit.teach.bundle.targets import Target

EXECUTABLE = (".sh", ".command")

_SHELL = """#!/bin/sh
# Starts start.py with a Python that the wheels of this folder fit.
for python in {names} python3 python; do
    if "$python" -c 'import sys; sys.exit("%d.%d" % sys.version_info[:2] not in "{versions}".split())' 2>/dev/null
    then
        exec "$python" "$(dirname "$0")/start.py" "$@"
    fi
done
echo "This course needs {words}, and none was found. Install it, then start this again." >&2
exit 1
"""
_BATCH = r"""@echo off
rem Starts start.py with a Python that the wheels of this folder fit.
for %%v in ({versions}) do (
    py -%%v -c "" >nul 2>nul && (
        py -%%v "%~dp0start.py" %*
        goto done
    )
)
python -c "import sys; sys.exit('%%d.%%d' %% sys.version_info[:2] not in '{versions}'.split())" >nul 2>nul && (
    python "%~dp0start.py" %*
    goto done
)
echo This course needs {words}, and none was found. Install it, then start this again.
:done
if errorlevel 1 (
    pause
    exit /b 1
)
"""
_WAYS = {  # by the beginning of a platform's name
    "windows": "  Windows   double-click start.bat",
    "macos": "  macOS     in a Terminal: sh start.command",
    "linux": "  Linux     in a terminal: sh start.sh",
}
_ANYWHERE = "  or        python start.py          (python start.py --help says more)"
_READ_ME = """A PyTorch course, for a room without a network.

You need {words}; it is not in here. Everything else is: packages, notebooks, data.
Wheels are here for: {targets}.

{ways}

The first start compares every file with manifest.json, installs into the folder {place}
and opens JupyterLab; it takes some minutes and {installed} MB. Later starts only open JupyterLab.
`python start.py --to FOLDER` installs into another folder: from a stick, or where this path is long (Windows).
Nothing else is installed: to undo it, delete that folder.

Your own copies of the chapters lie in `work` of the course's folder. Licences: course/LICENSE (code),
course/LICENSE-TEXT (text), course/data/README.md (data); those of the packages lie in their wheels.
"""


def write(folder: Path, targets: Iterable[Target], *, in_place: bool, installed: int) -> list[str]:
    """Write the files into `folder`; return their names. `installed`: bytes of the largest installation."""
    targets = list(targets)
    versions = sorted({target.python for target in targets}, reverse=True)
    ways = [way for name, way in _WAYS.items() if any(target.platform.startswith(name) for target in targets)]
    words = {
        "versions": " ".join(versions),
        "names": " ".join(f"python{version}" for version in versions),
        "words": f"Python {' or '.join(sorted(versions))}",
        "targets": "; ".join(target.words for target in targets),
        "ways": "\n".join([*ways, _ANYWHERE]),
        "place": "`course`" if in_place else "`pytorch-course` of your home",
        "installed": f"{installed / 1e6:,.0f}",
    }
    shell = _filled(_SHELL, words)
    texts = {"start.sh": shell, "start.command": shell, "start.bat": _filled(_BATCH, words)}
    texts["READ_ME.txt"] = _filled(_READ_ME, words)
    texts["start.py"] = (Path(__file__).parent / "first.py").read_text(encoding="utf-8")
    for name, text in texts.items():
        newline = "\r\n" if name.endswith((".bat", ".txt")) else "\n"  # Windows' cmd and old Notepads want both
        (folder / name).write_text(text, encoding="utf-8", newline=newline)
        (folder / name).chmod(0o755 if name.endswith(EXECUTABLE) else 0o644)
    return list(texts)


def _filled(text, words):
    for name, word in words.items():
        text = text.replace("{" + name + "}", word)
    return text
