"""Whether a bundle is intact: its manifest read, every file compared with it. Standard library only."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lessonkit.system.plain_file import open_plain

MANIFEST = "manifest.json"
MOST_NAMED = 5  # damaged files


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
    total = sum(files[name]["size"] for name in names)
    print(f"Verifying {len(names):,} files, {total / 1e6:,.0f} MB …", flush=True)
    wrong = [complaint for name in names if (complaint := _complaint(root, name, files[name]))]
    if wrong:
        more = [f"… and {len(wrong) - MOST_NAMED:,} files more"] if len(wrong) > MOST_NAMED else []
        end = (
            "Nothing was installed: unpack or copy the bundle again, and if that does not help, make the "
            "bundle again."
        )
        raise SystemExit("\n".join([*wrong[:MOST_NAMED], *more, end]))


def _complaint(root, name, expected):
    path = root.joinpath(*name.split("/"))
    try:
        found = describe(path) if path.stat().st_size == expected["size"] else None
    except OSError as error:
        return f"{name} cannot be read: {error.strerror}."
    if found is None:
        return f"{name} is damaged: found {path.stat().st_size:,} bytes, expected {expected['size']:,}."
    if found["sha256"] != expected["sha256"]:
        return f"{name} is damaged: found the SHA-256 {found['sha256'][:16]}…, expected {expected['sha256'][:16]}…."
    return None


def describe(path: Path) -> dict[str, Any]:
    """Return what the manifest holds of a file: its size in bytes and its SHA-256. Raises OSError."""
    with open_plain(path) as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return {"size": file.tell(), "sha256": digest}
