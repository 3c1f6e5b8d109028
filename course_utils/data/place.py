"""A location at which a complete data set was found."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Place:
    """Where a whole set lies, what that is called in sentences, and the advice if something there is damaged."""

    name: str
    source: str  # "full" or "sample"
    root: Path  # the folder; the zip of an IDX set's sample
    paths: dict[str, Path]  # {name of a file, unpacked and relative to `root`: the file, or the zip of a sample}
    advice: str
