"""Where a data set may lie, in which order those locations are tried, and the message when none has it."""

from dataclasses import replace
from pathlib import Path

from course_utils.data import download, settings
from course_utils.data.errors import DataError
from course_utils.data.place import Place
from course_utils.data.registry import DataSet


class NothingHere(DataError):
    """A data set that lies nowhere and has no sample."""


def in_repository(data_set: DataSet) -> Place | None:
    """Return the set as it is embedded, whole, or None where it comes from outside. Raise `DataError` for half."""
    return None if data_set.mirrors else embedded(data_set)


def in_course_data(data_set: DataSet) -> Place | None:
    """Return the set in COURSE_DATA, or None where the variable is unset or the folder has no file of the set.

    Raise `DataError` where COURSE_DATA is no folder, and for a set of which files are missing.
    """
    root = settings.course_data()
    if root is None or (paths := data_set.paths_in(root / data_set.folder)) is None:
        return None
    advice = "replace it by a fresh copy, or unset COURSE_DATA"
    return Place("COURSE_DATA", "full", root / data_set.folder, paths, advice)


def in_cache(data_set: DataSet, cache: Path) -> Place | None:
    """Return the set in the cache, or None where it is not yet complete."""
    folder = Path(cache) / data_set.folder
    if data_set.missing(folder) or not data_set.mirrors:
        return None
    advice = f"delete it and run `course data get {data_set.name}`"
    return Place("the project's data/cache", "full", folder, data_set.paths_in(folder), advice)


def embedded(data_set: DataSet) -> Place | None:
    """Return the sample in the repository, or None where the set has none. Raise `DataError` for half a sample."""
    return data_set.embedded(settings.SAMPLES)


def locate(data_set: DataSet, cache: Path, *, fetch: bool) -> tuple[Place, list[str]]:
    """Return (place, why): the first place that has the set, and the reasons why it is not an earlier one.

    Order: COURSE_DATA, the cache, a download (with `fetch`, and unless COURSE_OFFLINE=1), the embedded sample. What
    is embedded whole is nowhere else.
    Raise `NothingHere`, and `DataError` for wrong settings and incomplete folders.
    """
    why = []
    if (place := in_repository(data_set)) is not None:
        return place, why
    if (place := in_course_data(data_set)) is not None:
        return place, why
    if settings.course_data() is not None:
        why.append(f"COURSE_DATA has no {data_set.title} in {data_set.folder}")
    if (place := in_cache(data_set, cache)) is not None:
        return place, why
    if settings.offline():
        why.append("COURSE_OFFLINE=1 forbids a download")
    elif not fetch:
        why.append("nothing has been downloaded yet")
    else:
        settings.course_mirror()  # a wrong one is a mistake to mend, not a network that failed
        try:
            download.fetch(data_set, cache)
        except DataError as error:
            why.append(error.reason)
        else:
            place = in_cache(data_set, cache)
            return replace(place, name="a download, now kept in the project's data/cache"), why
    if (place := embedded(data_set)) is not None:
        return place, why
    raise NothingHere(
        f"{data_set.title}: nothing to load, because {' and '.join(why)}, and it has no embedded sample; with a "
        f"network, `course data get {data_set.name}` fetches it, or set COURSE_DATA to a folder with "
        f"{data_set.folder}."
    )


def sentence(data_set: DataSet, place: Place, why: list[str], *, checks: str) -> str:
    """Return what is used and why, in one sentence; `checks` is what was checked, in words."""
    if place.source == "sample":
        return (
            f"{data_set.title}: {place.name} ({data_set.sizes('sample')}), because {' and '.join(why)}; with a "
            f"network, `course data get {data_set.name}` fetches all {data_set.total():,}."
        )
    because = f", because {' and '.join(why)}" if why else ""
    return f"{data_set.title}: the full set ({data_set.sizes()}) from {place.name}{because}; {checks}."
