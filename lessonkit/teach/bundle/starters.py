"""The small files at a bundle's top: start.py, what starts it by a double click, READ_ME.txt."""

from collections.abc import Iterable
from pathlib import Path

from lessonkit.teach.bundle.targets import FOLDER, Target

_HERE = Path(__file__).parent  # the texts stand in the folder `top`
_WAYS = {  # by the beginning of a platform's name
    "windows": "  Windows   double-click start.bat",
    "macos": "  macOS     in a Terminal: sh start.command",
    "linux": "  Linux     in a terminal: sh start.sh",
}


def write(folder: Path, targets: Iterable[Target], *, in_place: bool, installed: int) -> list[str]:
    """Write the files into `folder`; return their names. `installed`: bytes of the largest installation."""
    targets = list(targets)
    versions = sorted({target.python for target in targets}, reverse=True)
    ways = [way for name, way in _WAYS.items() if any(target.platform.startswith(name) for target in targets)]
    words = {
        "{versions}": " ".join(versions),
        "{names}": " ".join(f"python{version}" for version in versions),
        "{words}": f"Python {' or '.join(sorted(versions))}",
        "{targets}": "; ".join(target.words for target in targets),
        "{ways}": "\n".join([*ways, "  or        python start.py          (python start.py --help says more)"]),
        "{place}": "`course`" if in_place else f"`{FOLDER}` of your home",
        "{installed}": f"{installed / 1e6:,.0f}",
    }
    sources = {name: _HERE / "top" / name for name in ("start.sh", "start.bat", "READ_ME.txt")}
    sources |= {"start.command": sources["start.sh"], "start.py": _HERE / "first.py"}
    for name, source in sources.items():
        text = source.read_text(encoding="utf-8")
        for word, meaning in words.items() if name != "start.py" else ():
            text = text.replace(word, meaning)
        newline = "\r\n" if name.endswith((".bat", ".txt")) else "\n"  # Windows' cmd and old Notepads want both
        (folder / name).write_text(text, encoding="utf-8", newline=newline)
        (folder / name).chmod(0o755 if name.endswith((".sh", ".command")) else 0o644)
    return list(sources)
