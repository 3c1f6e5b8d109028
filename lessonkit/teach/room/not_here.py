"""Tell what is the machine's from what is the learner's, where an answer could not be judged.

A package that is missing here, a device that this machine lacks, syntax of a newer Python: the answer may be right,
so it is neither passed nor failed, and somebody looks at it.
"""

import re
import sys
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec

from lessonkit.checks.outcomes import OF_THE_CHAPTER
from lessonkit.notebook.file_kinds import CONFLICT
from lessonkit.system.course import course

_HERE = f"{sys.version_info.major}.{sys.version_info.minor}"
_MODULE = re.compile(r"No module named '([^']+)'")
_LACKS = re.compile(
    r"module '(?P<module>[\w.]+)' has no attribute '(?P<name>\w+)'|"
    r"cannot import name '(?P<imported>\w+)' from '(?P<source>[\w.]+)'"
)
_DEVICE = re.compile(
    "|".join(
        (
            r"not compiled with \w+ enabled|PyTorch (?:is|was) not (?:built|compiled|linked) with",
            r"No (?:CUDA|HIP|XPU) (?:GPUs|devices?) (?:are|is) available|no CUDA-capable device|no NVIDIA GPU",
            r"Found no NVIDIA driver|CUDA driver|CUDA error|Invalid CUDA|The MPS backend is|no accelerator",
            r"deserialize object on .{1,60}is_available\(\) is False|requires a? ?(?:CUDA|GPU)",
            r"from the '(?:\w*CUDA|\w*MPS|\w*XPU|\w*HPU|\w*XLA)' backend|Cannot access accelerator device",
            r"(?:CUDA|cuda|MPS|mps|XPU|xpu|accelerator)\b.{0,60}\bnot (?:available|supported|found)",
        )
    ),
    re.DOTALL,
)
_NETWORK = {"URLError", "HTTPError", "gaierror", "ConnectionError", "ConnectionRefusedError", "ConnectTimeout"}
_NETWORK |= {"MaxRetryError", "NameResolutionError", "NewConnectionError", "ConnectError", "SSLError", "Offline"}
_UNREACHED = re.compile(
    r"Network is unreachable|[Nn]ame resolution|Name or service not known|nodename nor servname"
)
LOOK = "Look at it by hand."


@dataclass(frozen=True)
class Trouble:
    """Why a cell cannot be run, and whether that is this machine's doing and not the learner's (`here`)."""

    words: str
    here: bool = False

    @property
    def state(self) -> str:
        """The state of its row."""
        return "not judged here" if self.here else "raised"


def trouble_of(error: BaseException, cell: str, source: str, python: str) -> Trouble:
    """Return why a cell is no Python here. `python`: the version that its notebook was written for, or nothing."""
    if mark := CONFLICT.search(source):
        line = source[: mark.start()].count("\n") + 1
        return Trouble(
            f"{cell}, line {line}, holds a mark of an unfinished merge (`{mark.group().strip()}`, written by git): "
            "keep one of the two versions, remove the marks and hand it in again."
        )
    if not isinstance(error, SyntaxError):
        return Trouble(f"{cell} is not Python: {str(error) or type(error).__name__}")
    said = f"{cell}, line {error.lineno}: SyntaxError: {error.msg}"
    if is_newer(python):
        return Trouble(
            f"{said}. The notebook was written with Python {python}, and Python {_HERE} judges it here. {LOOK}",
            here=True,
        )
    return Trouble(said)


def is_newer(python: str) -> bool:
    """Return whether a version of Python is newer than the one that judges; False for an empty one."""
    numbers = re.match(r"(\d+)\.(\d+)", python)
    return bool(numbers) and tuple(map(int, numbers.groups())) > sys.version_info[:2]


def reason(error: dict, *, cell: str, python: str, passed_there: bool) -> str:
    """Return why an error is not the learner's but this machine's or the course's; empty where it is theirs.

    `error`: what a submission's process told of it. `cell`: the cell that raised as it ran, empty for an error in
    the answer that a check called. `python`: the notebook's. `passed_there`: its stored output says that it passed.
    """
    kind, words = str(error.get("name")), str(error.get("words"))
    first = words.strip().splitlines()[0][:300] if words.strip() else ""
    said = f"{kind}: {first}" if first else kind
    why = (
        _package(kind, words, python)
        or _device(kind, words, said)
        or _network(kind, words, said)
        or _version(kind, words, python, passed_there)
        or _file(kind, said, in_cell=bool(cell), passed_there=passed_there)
    )
    if why:
        return f"{why} {LOOK}"
    if cell.endswith(OF_THE_CHAPTER):
        return f"{cell[:1].upper()}{cell[1:]}, which this answer needs, raised here: `{said}`. {LOOK}"
    return ""


def _package(kind, words, python):
    found = _MODULE.search(words) if kind in ("ModuleNotFoundError", "ImportError") else None
    if not found:
        return ""
    top = found[1].partition(".")[0]
    if top in ("lessonkit", "torch_clinic", course().package):  # hidden from a submission on purpose
        return ""
    if found[1] in ("google", "google.colab"):
        return f"It needs `{found[1]}`, which only Google Colab has."
    if top in sys.stdlib_module_names and not is_newer(python):
        return f"It needs the module `{found[1]}`, which Python {_HERE} does not have on this machine."
    if found[1] != top and _is_there(top):
        return f"It needs `{found[1]}`, and {top} {_version_of(top)} does not have that here."
    return f"It needs `{found[1]}`: no package of that name is installed here, and no such file came with it."


def _device(kind, words, said):
    if kind in ("AssertionError", "RuntimeError", "AcceleratorError", "NotImplementedError") and _DEVICE.search(
        words
    ):
        return f"It needs a device that this machine does not have: `{said}`."
    return ""


def _network(kind, words, said):
    if kind in _NETWORK or (kind.endswith("Error") and _UNREACHED.search(words)):
        return f"It needs the network, which no submission has here: `{said}`."
    return ""


def _version(kind, words, python, passed_there):
    """Explain a name that a module lacks here and has elsewhere; a name that was mistyped is nowhere."""
    found = _LACKS.search(words) if kind in ("AttributeError", "ImportError") else None
    if not found:
        return ""
    module, name = found["module"] or found["source"], found["name"] or found["imported"]
    top = module.partition(".")[0]
    if top in sys.stdlib_module_names and is_newer(python):
        return f"It needs `{module}.{name}`. The notebook was written with Python {python}; here it is {_HERE}."
    if passed_there and _is_there(top) and top not in ("lessonkit", course().package):
        return (
            f"`{module}` has no `{name}` in {top} {_version_of(top)}, which judges here. The check passed in the "
            "learner's notebook, so its version is likely another one."
        )
    return ""


def _file(kind, said, *, in_cell, passed_there):
    """Explain a file that is not here: in a cell it is the learner's own; in an answer it may be a mistake."""
    if kind in ("FileNotFoundError", "PermissionError", "NotADirectoryError") and (in_cell or passed_there):
        return f"It needs a file that is not here: `{said}`."
    return ""


def version_note(error: dict) -> str:
    """Return a sentence with the version here of the module that lacks a name; empty for any other error."""
    found = (
        _LACKS.search(str(error.get("words"))) if error.get("name") in ("AttributeError", "ImportError") else None
    )
    top = (found["module"] or found["source"]).partition(".")[0] if found else ""
    return f"This machine has {top} {_version_of(top)}." if top and _version_of(top) else ""


def _is_there(top):
    try:
        return find_spec(top) is not None
    except (ImportError, ValueError):
        return False


def _version_of(top):
    names = metadata.packages_distributions().get(top, [top])
    try:
        return metadata.version(names[0])
    except metadata.PackageNotFoundError:
        return ""
