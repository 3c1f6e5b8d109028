"""Results of runs that are too long, or need hardware too rare, for a cell. They are kept in data/recorded with a
label.

A record is a dict with five keys: `what` (one sentence), `machine` (words), `versions` (package -> version),
`date` (YYYY-MM-DD) and `figures` (a dict of the results, JSON only).
"""

import datetime
import json
from pathlib import Path

import torch

from course_utils import PROJECT, machine
from lessonkit.system import atomic
from lessonkit.system.plain_file import read_plain_text

FOLDER = PROJECT / "data" / "recorded"
FIELDS = {"what": str, "machine": str, "versions": dict, "date": str, "figures": dict}


class RecordError(Exception):
    """A record that exists and cannot be used."""


def read(name: str, *, folder: str | Path = FOLDER) -> dict | None:
    """Return the record `name`, or None if no such run has been recorded. Raises `RecordError` for a damaged one.

    >>> read("no_such_run") is None
    True
    """
    path = Path(folder) / f"{name}.json"
    try:
        text = read_plain_text(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise RecordError(_damaged(path, f"a file that cannot be read ({error.strerror})")) from error
    except UnicodeDecodeError as error:
        raise RecordError(_damaged(path, f"bytes that are not text ({error.reason})")) from error
    try:
        record = json.loads(text)
    except json.JSONDecodeError as error:
        raise RecordError(_damaged(path, f"no JSON (line {error.lineno}: {error.msg})")) from error
    except (ValueError, RecursionError) as error:  # a number with thousands of digits, or thousands of brackets
        raise RecordError(_damaged(path, f"JSON that does not read ({error})")) from error
    if fault := _fault(record):
        raise RecordError(_damaged(path, fault))
    return record


def label(record: dict | None, *, made_by: str | None = None) -> str:
    """Return one sentence for recorded figures that says where they come from, or that there are none yet.

    `record`: what `read` returned. `made_by`: the command that makes the record, which the sentence names if there
    is none.

    >>> label(None, made_by="make gpu-records")
    'Not recorded yet: `make gpu-records` makes it.'
    >>> label({"machine": "NVIDIA H200 (cuda)", "versions": {"torch": "2.14.1"}, "date": "2026-11-01"})
    'Recorded on NVIDIA H200 (cuda), torch 2.14.1, 2026-11-01.'
    """
    if record is None:
        how = f"`{made_by}` makes it" if made_by else "no such run has been kept with the course"
        return f"Not recorded yet: {how}."
    return f"Recorded on {record['machine']}, torch {record['versions'].get('torch', 'unknown')}, {record['date']}."


def write(
    name: str,
    *,
    what: str,
    figures: dict,
    versions: dict[str, str] | None = None,
    folder: str | Path = FOLDER,
) -> Path:
    """Record the results of a run on this machine; return the path. An earlier record is replaced in one step.

    `figures`: JSON only, with finite numbers. `versions`: those of further packages; Python's and torch's are
    added. Raises `RecordError` for figures that JSON cannot hold, and then writes nothing. Raises OSError if the
    disk is full.

    >>> path = write("two_sums", what="Two sums.", figures={"sums": [1, 2]}, folder="kept")
    >>> read("two_sums", folder="kept")["figures"]
    {'sums': [1, 2]}
    """
    record = {
        "what": what,
        "machine": this_machine(),
        "versions": machine.versions("python", "torch") | (versions or {}),
        "date": datetime.date.today().isoformat(),
        "figures": figures,
    }
    if fault := _fault(record):
        raise RecordError(f"{name} was not kept: found {fault}, expected {_wanted()}.")
    try:
        text = json.dumps(record, indent=1, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise RecordError(
            f"{name} was not kept: its figures are not JSON ({error}); use numbers that are finite, strings, lists "
            "and dicts."
        ) from error
    path = Path(folder) / f"{name}.json"
    atomic.make_folder(path.parent)
    atomic.write(path, f"{text}\n".encode())
    return path


def this_machine() -> str:
    """Describe this machine for a label: `NVIDIA H100 (cuda), 16 cores`, or `CPU (AVX512), 2 cores`.

    >>> this_machine().endswith("cores")
    True
    """
    named = machine.accelerator() or f"CPU ({torch.backends.cpu.get_cpu_capability()})"
    return f"{named}, {machine.cores()} cores"


def _fault(record: object) -> str | None:
    """Return in words what is wrong with a record, or None."""
    if not isinstance(record, dict):
        return f"a {type(record).__name__} instead of a dict"
    for field, kind in FIELDS.items():
        if field not in record:
            return f"no {field!r}"
        if not isinstance(record[field], kind) or not record[field]:
            return f"{field!r} = {str(record[field])[:40]!r}"
    return None


def _wanted() -> str:
    return "all of " + ", ".join(f"{field} ({kind.__name__}, not empty)" for field, kind in FIELDS.items())


def _damaged(path: Path, found: str) -> str:
    return f"{path} is damaged: found {found}, expected {_wanted()}; restore it with `git checkout`, or delete it."
