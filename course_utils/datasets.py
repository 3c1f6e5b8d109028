"""Data sets by name: `load("mnist")` gives a PyTorch `Dataset`, `folder("hymenoptera")` the path of a set of files.

Both print one sentence: which data it is, and why.
"""

from dataclasses import dataclass
from pathlib import Path

import torch
from torch.utils.data import Dataset

from course_utils.data import download, folder_set, idx, locations, registry, search
from course_utils.data.idx import DataError

COUNTED = "checked by the number of files, as no hash is published"


@dataclass(frozen=True)
class Folder:
    """A set that is a folder of files: its `path`, the `source` ("full" or "sample"), the `sentence` printed."""

    path: Path
    source: str
    sentence: str


class Pictures(Dataset):
    """Grey pictures with their classes, all in memory.

    `images` uint8 (N, 28, 28), `targets` int64 (N,), `classes` (their names), `split`, `source` "full" or "sample".
    `dataset[i]` is (uint8 (1, 28, 28), int), the picture passed through `transform` where one is given.
    """

    def __init__(self, images, targets, *, classes, split, source, transform=None):
        self.images, self.targets = images, targets
        self.classes, self.split, self.source, self.transform = classes, split, source, transform

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        image = self.images[index].unsqueeze(0)  # (1, 28, 28)
        return image if self.transform is None else self.transform(image), int(self.targets[index])

    def __repr__(self):
        return f"Pictures({len(self):,} of the split {self.split!r}, source={self.source!r})"


def names():
    """The names that `load` knows."""
    return registry.names()


def load(name, *, split="train", transform=None, cache=locations.CACHE):
    """The split ("train" or "test") of a data set, from the first place that has it; prints which one and why.

    Places: COURSE_DATA, the project's data/cache, a download (unless COURSE_OFFLINE=1), the embedded sample.
    Returns `Pictures`. Raises `DataError` for damaged or missing data and for an unknown name or split.
    """
    spec = _of_kind(registry.find(name), registry.Spec)
    registry.split_files(spec, split)
    place, why = search.find(spec, cache, download=True)
    files = registry.split_files(spec, split, sample=place.source == "sample")
    (images, sure), (labels, labels_sure) = (_read(spec, place, file) for file in files)
    print(search.sentence(spec, place, why, checks=search.checks(place, sure and labels_sure)))
    images = torch.frombuffer(images, dtype=torch.uint8, offset=len(files[0].header)).view(files[0].shape)
    targets = torch.frombuffer(labels, dtype=torch.uint8, offset=len(files[1].header)).long()
    return Pictures(images, targets, classes=spec.classes, split=split, source=place.source, transform=transform)


def folder(name, *, cache=locations.CACHE):
    """The folder of a set of sounds or photographs, from the first place that has it; prints which one and why.

    Places as for `load`. The folder may be read-only. Returns `Folder`. Raises `DataError` for missing files, for
    files without a byte, and for an unknown name; whether each file can be read to its end is asked by `verify`.
    """
    spec = _of_kind(registry.find(name), folder_set.FolderSpec)
    place, why = search.find(spec, cache, download=True)
    folder_set.check_sizes(place)
    sentence = search.sentence(spec, place, why, checks=COUNTED)
    print(sentence)
    return Folder(place.folder, place.source, sentence)


def unpack(name, target, *, cache=locations.CACHE):
    """Write the verified IDX files of a set under `target`, laid out as torchvision's classes expect them.

    Downloads nothing that `load` has not. Returns the `source`. Raises `DataError`.
    """
    spec = _of_kind(registry.find(name), registry.Spec)
    place, _ = search.find(spec, cache, download=True)
    root = Path(target) / spec.folder
    root.mkdir(parents=True, exist_ok=True)
    for file in spec.files if place.source == "full" else spec.sample:
        buffer, _ = _read(spec, place, file)
        (root / file.name).write_bytes(buffer)
    return place.source


def available(name, *, cache=locations.CACHE):
    """(source, sentence) of what `load` would find without a download: "full", "sample" or "none".

    Reads the files' headers only. Raises `DataError` for damage that shows there.
    """
    spec = registry.find(name)
    try:
        place, why = search.find(spec, cache, download=False)
    except search.NothingHere as error:
        return "none", str(error)
    if isinstance(spec, folder_set.FolderSpec):
        folder_set.check_sizes(place)
        return place.source, search.sentence(spec, place, why, checks=COUNTED)
    for file in spec.files if place.source == "full" else spec.sample:
        idx.check_start(place.paths[file.name], file, advice=place.advice, member=place.member(file))
    return place.source, search.sentence(spec, place, why, checks="only its headers were looked at")


def get(name, *, cache=locations.CACHE):
    """Download a data set into the project's data/cache, unless it is there or in COURSE_DATA.

    Returns a sentence for each place that has it, everything verified. Raises `DataError`.
    """
    spec = registry.find(name)
    if locations.in_course_data(spec) is None and locations.in_cache(spec, cache) is None:
        if locations.offline():
            raise DataError(
                f"{spec.title} is not here and COURSE_OFFLINE=1 forbids a download: unset it, then get."
            )
        download.fetch(spec, cache, ask_again=True)
    return verify(name, cache=cache)


def verify(name, *, cache=locations.CACHE):
    """Read every file of every place that has the set; returns a sentence for each. Raises `DataError`."""
    spec = registry.find(name)
    found = [locations.in_course_data(spec), locations.in_cache(spec, cache), locations.embedded(spec)]
    sentences = []
    for place in filter(None, found):
        if isinstance(spec, folder_set.FolderSpec):
            words = f"all {len(place.paths):,} {spec.things} of {place.name} are whole"
            sentences.append(f"{spec.title}: {words}; {folder_set.check_all(spec, place)}.")
            continue
        files = spec.files if place.source == "full" else spec.sample
        verified = all([_read(spec, place, file)[1] for file in files])
        sentences.append(
            f"{spec.title}: all {len(files)} files of {place.name} are whole; {search.checks(place, verified)}."
        )
    if not sentences:
        search.find(spec, cache, download=False)  # raises, and says how to get the set
    return sentences


def _of_kind(spec, kind):
    """The spec, where it is of the kind that the caller can give."""
    if isinstance(spec, kind):
        return spec
    call = "load" if isinstance(spec, registry.Spec) else "folder"
    raise DataError(f"{spec.title} comes in another form: ask for it with `{call}({spec.name!r})`.")


def _read(spec, place, file):
    path = place.paths[file.name]
    buffer, verified = idx.read(path, file, advice=place.advice, member=place.member(file))
    if len(file.shape) == 1 and (top := max(buffer[len(file.header) :])) >= len(spec.classes):
        raise idx.damaged(path, f"the class {top}", f"classes 0 to {len(spec.classes) - 1}", place.advice)
    return buffer, verified
