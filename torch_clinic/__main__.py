"""The command line: `python -m torch_clinic traceback.txt`."""

import argparse
import sys
from collections.abc import Sequence

from torch_clinic import reading
from torch_clinic.diagnosis import diagnose
from torch_clinic.unknown import what_next

_STATUS = (
    "Exit status: 0 every text was recognised, 1 one was not, 2 refused (the file is empty, unreadable or no text)."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the cases that fit each file, and return the exit status. `arguments`: `sys.argv`'s unless given."""
    parser = argparse.ArgumentParser(
        prog="python -m torch_clinic",
        description="Say what a PyTorch error that you saved in a file means, and what to do about it.",
        epilog=_STATUS,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="the saved error; - reads it from a pipe")
    files = parser.parse_args(arguments).files
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # a console without a character of the text still shows the rest
    try:
        texts = [reading.read(name) for name in files]
    except reading.Unreadable as error:
        print(f"Refused: {error}", file=sys.stderr)
        return 2
    found = [diagnose(text) for text in texts]
    for name, text, diagnosis in zip(files, texts, found, strict=True):
        said = "\n\n".join(filter(None, [str(diagnosis), what_next(text, diagnosis)]))
        print(f"{name}:\n{said}" if len(files) > 1 else said)
    return 0 if all(found) else 1


if __name__ == "__main__":
    sys.exit(main())
