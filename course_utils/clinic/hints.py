"""What the rest of a text says about an error: the exit code in a launcher's report, DataParallel."""

import re

FIRST_EXIT = re.compile(r"Root Cause.*?exit ?code\s*:\s*(-?\d+)", re.DOTALL)
ANY_EXIT = re.compile(r"exit ?code\s*:\s*(-?\d+)")
DATA_PARALLEL = re.compile(r"(?<!distributed)(?<!distributed[ _])data[ _]?parallel", re.IGNORECASE)


def with_hints(name: str, message: str, text: str) -> str:
    """Return `message` with what `text` says elsewhere in brackets behind it, for the patterns to find.

    "[first exit: -9]" behind a launcher's report, "[DataParallel]" behind a backward of several numbers.
    """
    if name == "ChildFailedError" and (code := FIRST_EXIT.search(text) or ANY_EXIT.search(text)):
        return f"{message} [first exit: {code[1]}]"
    if "only for scalar outputs" in message.replace("real scalar", "scalar") and DATA_PARALLEL.search(text):
        return f"{message} [DataParallel]"
    return message
