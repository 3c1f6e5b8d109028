"""Which data sets may go into a bundle for a room without a network, and where each of them comes from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from course_utils.data import download, locations, registry, settings
from course_utils.data.errors import DataError
from course_utils.data.place import Place
from course_utils.data.registry import DataSet


@dataclass(frozen=True)
class Data:
    """A data set that chapters of the bundle load: where it is, or why it stays out."""

    data_set: DataSet
    chapters: tuple[str, ...]
    place: Place | None
    out: str = ""  # why it stays out

    @property
    def to_fetch(self) -> int:
        """The most bytes that a download takes."""
        return 0 if self.place or self.out else sum(file.size for file in self.data_set.files)

    @property
    def size(self) -> int:
        """Bytes that it takes in the bundle, at most where it has to be fetched."""
        return sum(path.stat().st_size for path in self.place.paths.values()) if self.place else self.to_fetch

    def files(self) -> dict[str, Path]:
        """Return {name in the bundle: path}, laid out as the course's data/cache is."""
        paths = self.place.paths.values() if self.place else ()
        folder = f"course/data/cache/{self.data_set.folder}"
        return {f"{folder}/{path.relative_to(self.place.root).as_posix()}": path for path in paths}

    def sentence(self) -> str:
        """Return what of it goes into the bundle, and why not, in one sentence."""
        who = f"for {', '.join(self.chapters)}"
        title, licence = self.data_set.title, self.data_set.licence
        if not self.out:
            where = f"from {self.place.name}, " if self.place else "to be fetched, at most "
            return f"{title} ({licence}) {who}: {where}{self.size / 1e6:,.0f} MB"
        sample = self.data_set.embedded(settings.SAMPLES)
        instead = f"the sample is ({self.data_set.sizes('sample')})" if sample else "there is no sample"
        return f"{title} {who}: not in the bundle, {self.out}; {instead}"


def data_for(users: Mapping[str, Sequence[str]]) -> list[Data]:
    """Return the data sets of those names, each for the chapters that load it. Raises DataError for damaged ones.

    One that is whole in the repository is none of them: it comes with the course's own files.
    """
    found = {name: registry.find(name) for name in users}
    return [_found(one, tuple(users[name])) for name, one in found.items() if one.files]


def fetch(one: Data) -> Data:
    """Return the data set with its place: downloaded where it has none, verified in any case.

    One that cannot be had stays out, and says why. Raises DataError for a damaged one.
    """
    if one.out:
        return one
    if one.place is None:
        try:
            download.fetch(one.data_set, settings.CACHE, ask_again=True)
        except DataError as error:
            return Data(one.data_set, one.chapters, None, f"as {error.reason}")
        one = _found(one.data_set, one.chapters)
    one.data_set.verify(one.place)
    return one


def _found(data_set: DataSet, chapters: tuple[str, ...]) -> Data:
    if not data_set.passed_on:
        return Data(data_set, chapters, None, f"as its licence lets nobody pass it on ({data_set.licence})")
    place = locations.in_course_data(data_set) or locations.in_cache(data_set, settings.CACHE)
    if place is None and settings.offline():
        return Data(data_set, chapters, None, "as it is not here and COURSE_OFFLINE=1 forbids a download")
    return Data(data_set, chapters, place)
