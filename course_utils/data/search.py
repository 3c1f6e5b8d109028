"""The order in which the places of a data set are tried, and the one sentence that says what came of it."""

from dataclasses import replace

from course_utils.data import download as downloads
from course_utils.data import locations, mirrors
from course_utils.data.idx import DataError


class NothingHere(DataError):
    """A data set that lies nowhere and has no sample."""


def find(spec, cache, *, download):
    """(place, why): the first place that has the set, and the reasons why it is not an earlier one.

    Order: COURSE_DATA, the cache, a download (when `download` and not COURSE_OFFLINE=1), the embedded sample.
    Raises `NothingHere`, and `DataError` for wrong settings and incomplete folders.
    """
    why = []
    if (place := locations.in_course_data(spec)) is not None:
        return place, why
    if locations.course_data() is not None:
        why.append(f"COURSE_DATA has no {spec.title} in {spec.folder}")
    if (place := locations.in_cache(spec, cache)) is not None:
        return place, why
    if locations.offline():
        why.append("COURSE_OFFLINE=1 forbids a download")
    elif not download:
        why.append("nothing has been downloaded yet")
    else:
        mirrors.prefixes(spec)  # a wrong COURSE_MIRROR is a mistake to mend, not a network that failed
        try:
            downloads.fetch(spec, cache)
        except DataError as error:
            why.append(error.reason)
        else:
            place = locations.in_cache(spec, cache)
            return replace(place, name="a download, now kept in the project's data/cache"), why
    if (place := locations.embedded(spec)) is not None:
        return place, why
    raise NothingHere(
        f"{spec.title}: nothing to load, because {' and '.join(why)}, and it has no embedded sample; with a "
        f"network, `course data get {spec.name}` fetches it, or set COURSE_DATA to a folder with {spec.folder}."
    )


def sentence(spec, place, why, *, checks):
    """What is used and why, in one sentence."""
    if place.source == "sample":
        return (
            f"{spec.title}: the embedded sample ({spec.sizes(sample=True)}), because {' and '.join(why)}; with a "
            f"network, `course data get {spec.name}` fetches all {spec.total():,}."
        )
    because = f", because {' and '.join(why)}" if why else ""
    return f"{spec.title}: the full set ({spec.sizes()}) from {place.name}{because}; {checks}."


def checks(place, verified):
    """What was checked, in words: `verified` is whether every file met a known MD5."""
    if not verified:
        return "checked by header and size only, as no MD5 is published for this packing"
    return f"the content has the {'published' if place.source == 'full' else 'recorded'} MD5"
