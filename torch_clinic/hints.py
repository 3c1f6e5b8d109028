"""What the rest of a text says about an error: a launcher's exit code, DataParallel, how old the GPU is."""

import re

from torch_clinic.expressions import Expression
from torch_clinic.packages import with_owner
from torch_clinic.platforms import with_system

ROOT_CAUSE = "Root Cause"
ANY_EXIT = Expression(r"exit ?code\s*:\s*(-?\d+)")
DATA_PARALLEL = Expression(r"(?<!distributed)(?<!distributed[ _])data[ _]?parallel", re.IGNORECASE)
ABOUT_A_GPU = Expression(r"no kernel image|which is of \w+ capability|is not compatible with the current PyTorch")
OWN = Expression(r"which is of \w+ capability(?: \(CC\))? (\d+\.\d+)|capability sm_(\d+[a-z]?) is not compatible")
BUILT = Expression(r"- (\d+\.\d+) which supports|by this library is (\d+\.\d+)|\((\d+\.\d+)\)|sm_(\d+)")
TOO_OLD = "no longer supports this GPU because it is too old"


def with_hints(name: str, message: str, text: str) -> str:
    """Return `message` with what `text` says elsewhere in brackets behind it, for the patterns to find.

    "[first exit: -9]" behind a launcher's report, "[DataParallel]" behind a backward of several numbers, and
    "[GPU 2.1: too old]", "[GPU 6.1: older than 7.5]" or "[GPU 12.0: newer than 9.0]" where kernels are missing;
    whose a module is behind a name that could not be imported, see `packages`; and what the text says of the
    system where a package was not found, see `platforms`.
    """
    if name == "ChildFailedError" and (code := _exit_code(text)):
        return f"{message} [first exit: {code[1]}]"
    if "only for scalar outputs" in message.replace("real scalar", "scalar") and DATA_PARALLEL.search(text):
        return f"{message} [DataParallel]"
    if ABOUT_A_GPU.search(message) and (own := OWN.search(text)):
        return message + _age(_capability(own), text[own.end() :])
    return with_system(with_owner(message, text), text)


def _exit_code(text: str) -> re.Match | None:
    """Return the exit code behind the first "Root Cause", else the first one."""
    start = text.find(ROOT_CAUSE)  # sought once: a pattern would try each of them to the text's end
    return (ANY_EXIT.search(text, start) if start >= 0 else None) or ANY_EXIT.search(text)


def _age(own: str, rest: str) -> str:
    """Return how the GPU stands to the kernels that the warning names behind it; nothing where it names none."""
    warning = re.split("Found GPU|with CUDA capability", rest, maxsplit=1)[0][:1500]
    built = sorted((_capability(match) for match in BUILT.finditer(warning)), key=float)
    if built and float(own) < float(built[0]):
        return f" [GPU {own}: older than {built[0]}]"
    if built and float(own) > float(built[-1]):
        return f" [GPU {own}: newer than {built[-1]}]"
    return f" [GPU {own}: too old]" if TOO_OLD in " ".join(warning[:200].split()) else ""


def _capability(match: re.Match) -> str:
    """Return "8.6" for 8.6 and for sm_86."""
    said = next(group for group in match.groups() if group).rstrip("abcdef")
    return said if "." in said else f"{said[:-1]}.{said[-1]}"
