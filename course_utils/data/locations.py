"""Where the files of a data set may lie: COURSE_DATA, the project's data/cache, the sample in the repository."""

import os
from dataclasses import dataclass
from pathlib import Path

from course_utils import PROJECT
from course_utils.data.folder_set import FolderSpec, files_of
from course_utils.data.idx import DataError

CACHE = PROJECT / "data" / "cache"
SAMPLES = PROJECT / "data" / "samples"


@dataclass(frozen=True)
class Place:
    """A folder or zip that holds a whole set, with its name in sentences and the advice if it is damaged."""

    name: str
    source: str  # "full" or "sample"
    paths: dict[str, Path]  # unpacked name -> file; all the same zip for a sample
    advice: str
    folder: Path | None = None  # of a set that is a folder of files

    def member(self, file):
        """The name inside the zip, or None where the file lies in a folder."""
        return file.name if self.source == "sample" else None


def offline():
    """Whether COURSE_OFFLINE forbids a download."""
    return os.environ.get("COURSE_OFFLINE", "").strip().lower() in {"1", "true", "yes", "on"}


def course_data():
    """The folder COURSE_DATA names, or None where it is unset. Raises `DataError` where there is no such folder."""
    value = os.environ.get("COURSE_DATA", "").strip()
    if not value:
        return None
    named = Path(value).expanduser()
    candidates = [named] if named.is_absolute() else [Path.cwd() / named, PROJECT / named]
    for candidate in candidates:
        if candidate.is_dir():
            return candidate.resolve()
    looked = " and ".join(str(candidate) for candidate in candidates)
    raise DataError(
        f"COURSE_DATA={value} is not a folder: looked at {looked}; correct the variable, or unset it to use the "
        "project's own data."
    )


def paths_in(folder, spec, *, partial=False):
    """{unpacked name: path} of the set's files in a folder, unpacked ones first; None where there is not one.

    A set of which some files are missing raises `DataError`, unless `partial`: a cache fills file by file.
    """
    found = {}
    for file in spec.files:
        for path in (folder / file.name, folder / file.packed_name):
            if _is_there(path):
                found[file.name] = path
                break
    missing = [file.packed_name for file in spec.files if file.name not in found]
    if found and missing and not partial:
        raise DataError(
            f"{folder} holds {len(found)} of the {len(spec.files)} files of {spec.title}: {' and '.join(missing)} "
            "cannot be found; add what is missing, or take the rest away.",
            f"{spec.folder} is incomplete",
        )
    return found or None


def in_course_data(spec):
    """The set in COURSE_DATA, or None where the variable is unset or the folder has no file of the set."""
    root = course_data()
    paths = None if root is None else spec.paths_in(root / spec.folder)
    advice = "replace it by a fresh copy, or unset COURSE_DATA"
    return paths and Place("COURSE_DATA", "full", paths, advice, root / spec.folder)


def in_cache(spec, cache):
    """The set in the cache, or None where it is not yet complete."""
    folder = Path(cache) / spec.folder
    paths = spec.paths_in(folder, partial=True)
    if not spec.whole(paths):
        return None
    advice = f"delete it and run `course data get {spec.name}`"
    return Place("the project's data/cache", "full", paths, advice, folder)


def embedded(spec):
    """The sample in the repository, or None where the set has none."""
    if spec.sample is None:
        return None
    if isinstance(spec, FolderSpec):
        folder = SAMPLES / spec.folder
        paths = {path.relative_to(folder).as_posix(): path for path in files_of(folder, spec.suffixes)}
        advice = f"run `git checkout -- data/samples/{spec.folder}`"
        if len(paths) < spec.sample_total():
            raise DataError(
                f"{folder} is incomplete: found {len(paths)} of {spec.sizes(sample=True)}; {advice}.",
            )
        return Place("the embedded sample", "sample", paths, advice, folder)
    archive = SAMPLES / f"{spec.name}.zip"
    advice = f"run `git checkout -- data/samples/{archive.name}`"
    return Place("the embedded sample", "sample", {file.name: archive for file in spec.sample}, advice)


def _is_there(path):
    """Whether something has this name, be it damaged or a broken link: what is there is judged by the reader."""
    try:
        path.lstat()
    except FileNotFoundError:
        return False
    except NotADirectoryError:
        raise DataError(
            f"{path.parent} cannot be searched: found a file there, expected a folder; move it."
        ) from None
    except PermissionError:
        raise DataError(
            f"{path.parent} cannot be searched: found a folder without permission, expected one that you may "
            "read; give yourself the permission, or choose another folder with COURSE_DATA."
        ) from None
    return True
