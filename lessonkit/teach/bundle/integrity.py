"""Whether a bundle is whole: its manifest read, every file compared with it. The standard library alone."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lessonkit.system.plain_file import open_plain

MANIFEST = "manifest.json"
MOST_SAID = 5  # damaged files named
_LARGE = 500_000_000  # bytes from which on it is said how far the verifying is


def read_manifest(root: Path) -> tuple[dict[str, Any], str]:
    """Return the manifest of a bundle and its SHA-256. Ends the program where it is missing or damaged."""
    path = root / MANIFEST
    try:
        with open_plain(path) as file:
            content = file.read()
        manifest = json.loads(content)
        _check(manifest)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        reason = f"{type(error).__name__}: {error}"[:200]
        raise SystemExit(f"{path} cannot be read ({reason}): unpack or copy the whole bundle again.") from None
    return manifest, hashlib.sha256(content).hexdigest()


def _check(manifest):
    """Raise ValueError, KeyError, TypeError or AttributeError for what `course bundle` does not write."""
    for name, kind in (("targets", dict), ("files", dict), ("in_place", bool), ("torch", str)):
        _is(manifest[name], kind, name)
    for name, one in manifest["files"].items():
        if not _inside(name):
            raise ValueError(f"{name[:100]!r} leads out of the bundle")
        _is(one["size"], int, f"the size of {name[:100]}")
        _is(one["sha256"], str, f"the SHA-256 of {name[:100]}")
    for target, packages in manifest["targets"].items():
        if "-" not in target:
            raise ValueError(f"{target[:100]!r} is no kind of machine")
        for name, kind in (("requirements", str), ("wheels", list), ("installed", int), ("longest", int)):
            _is(packages[name], kind, f"{name} of {target}")
        needed = [packages["requirements"], *(f"wheels/{wheel}" for wheel in packages["wheels"])]
        if lost := [name for name in needed if name not in manifest["files"]]:
            raise ValueError(f"{lost[0][:100]!r} is needed and not among the files")


def _is(value, kind, name):
    if type(value) is not kind or (kind is int and not 0 <= value < 1 << 50):
        raise ValueError(f"{name} is {str(value)[:40]!r}")


def _inside(name):
    """Return whether a name in the manifest stays in the bundle, and in the course's folder, on every system."""
    parts = name.split("/")
    return all(part.strip(". ") and not set(part) & set("\\:\0") for part in parts) and len(name) < 1000


def verify(root: Path, files: dict[str, dict[str, Any]], names: Iterable[str]) -> None:
    """Compare files with the manifest's `files`; end the program with all that is wrong."""
    names = list(names)
    total, done, said = sum(files[name]["size"] for name in names), 0, 0
    print(f"Verifying {len(names):,} files, {total / 1e6:,.0f} MB …", flush=True)
    wrong = []
    for name in names:
        if complaint := _complaint(root, name, files[name]):
            wrong.append(complaint)
        done += files[name]["size"]
        if total > _LARGE and done * 4 // total > said:
            said = done * 4 // total
            print(f"  {said * 25} %", flush=True)
    if wrong:
        more = [f"… and {len(wrong) - MOST_SAID:,} files more"] if len(wrong) > MOST_SAID else []
        end = "Nothing was installed: unpack or copy the bundle again, and if that does not help, make it anew."
        raise SystemExit("\n".join([*wrong[:MOST_SAID], *more, end]))


def _complaint(root, name, expected):
    path = root.joinpath(*name.split("/"))
    try:
        size, found = path.stat().st_size, None
        if size == expected["size"]:
            found = sha256(path)
    except OSError as error:
        return f"{name} cannot be read: {error.strerror}."
    if found is None:
        return f"{name} is damaged: found {size:,} bytes, expected {expected['size']:,}."
    if found != expected["sha256"]:
        return f"{name} is damaged: found the SHA-256 {found[:16]}…, expected {expected['sha256'][:16]}…."
    return None


def sha256(path: Path) -> str:
    """Return a file's SHA-256 in hexadecimal. Raises OSError."""
    with open_plain(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
