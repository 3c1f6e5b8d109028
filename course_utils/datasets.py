"""Data sets by name: `load("mnist")` returns a PyTorch `Dataset`, and `folder("hymenoptera")` a folder of files.

`text("python_topics")` returns a text. Each prints one sentence that says which data it is, and why.
"""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torch.utils.data import Dataset

from course_utils.data.errors import DataError
from course_utils.data.settings import CACHE, offline
from lessonkit.system import atomic

# The functions import the modules that find and read the data themselves. At the top, these would take a quarter of
# the time of the course's imports in a chapter.
if TYPE_CHECKING:
    from course_utils.data.text_set import Text

Transform = Callable[[Tensor], Any]  # is called with one picture, uint8 (1, 28, 28)


@dataclass(frozen=True)
class Folder:
    """A data set that is a folder of files: its `path`, its `source` ("full" or "sample"), and the `sentence`
    printed.

    >>> Folder(Path("sounds"), "sample", "Sounds: the embedded sample.").source
    'sample'
    """

    path: Path
    source: str
    sentence: str


@dataclass(eq=False, repr=False)
class Pictures(Dataset):
    """Grey pictures with their classes, all in memory.

    `dataset[i]` is (uint8 (1, 28, 28), int). If there is a `transform`, it is applied to the picture.

    >>> black = torch.zeros(2, 28, 28, dtype=torch.uint8)
    >>> pictures = Pictures(black, torch.tensor([3, 1]), classes=("a", "b", "c", "d"), split="test", source="full")
    >>> pictures
    Pictures(2 of the split 'test', source='full')
    >>> image, target = pictures[0]
    >>> image.shape, pictures.classes[target]
    (torch.Size([1, 28, 28]), 'd')
    """

    images: Tensor  # uint8 (N, 28, 28)
    targets: Tensor  # int64 (N,)
    _: KW_ONLY
    classes: tuple[str, ...]  # their names
    split: str  # "train" or "test"
    source: str  # "full" or "sample"
    transform: Transform | None = None

    def __len__(self) -> int:
        return len(self.images)

    def __getitem__(self, index: int) -> tuple[Any, int]:
        image = self.images[index].unsqueeze(0)  # (1, 28, 28)
        return image if self.transform is None else self.transform(image), int(self.targets[index])

    def __repr__(self) -> str:
        return f"Pictures({len(self):,} of the split {self.split!r}, source={self.source!r})"


def names() -> tuple[str, ...]:
    """Return the names of all data sets.

    >>> names()
    ('mnist', 'fashion_mnist', 'free_spoken_digits', 'hymenoptera', 'python_topics')
    """
    from course_utils.data import registry

    return registry.names()


def load(name: str, *, split: str = "train", transform: Transform | None = None, cache: Path = CACHE) -> Pictures:
    """Return the split ("train" or "test") of a data set from the first place that has it; print which and why.

    The places are COURSE_DATA, the project's data/cache, a download (unless COURSE_OFFLINE=1), and the sample in
    the repository. Raises `DataError` for damaged or missing data and for an unknown name or split.

    >>> digits = load("mnist", split="test")
    MNIST: ...
    >>> image, target = digits[0]
    >>> image.shape, image.dtype, target
    (torch.Size([1, 28, 28]), torch.uint8, ...)
    """
    from course_utils.data import locations

    data_set = _find(name, "load")
    data_set.split_files(split)  # refuse a split that does not exist before anything is downloaded
    place, why = locations.locate(data_set, cache, fetch=True)
    images, targets, checks = data_set.read_split(place, split)
    print(locations.sentence(data_set, place, why, checks=checks))
    images = torch.frombuffer(images, dtype=torch.uint8).view(-1, 28, 28)
    targets = torch.frombuffer(targets, dtype=torch.uint8).long()
    facts = {"classes": data_set.classes, "split": split, "source": place.source}
    return Pictures(images, targets, **facts, transform=transform)


def folder(name: str, *, cache: Path = CACHE) -> Folder:
    """Return the folder of a data set of files from the first place that has it; print which and why.

    The places are those of `load`. The folder may be read-only. Raises `DataError` for missing or empty files and
    for an unknown name. Only `verify` reads each file to its end.

    >>> insects = folder("hymenoptera")
    Ants and bees: ...
    >>> sorted(path.name for path in (insects.path / "train").iterdir())
    ['ants', 'bees']
    """
    from course_utils.data import locations

    data_set = _find(name, "folder")
    place, why = locations.locate(data_set, cache, fetch=True)
    sentence = locations.sentence(data_set, place, why, checks=data_set.check_start(place))
    print(sentence)
    return Folder(place.root, place.source, sentence)


def text(name: str) -> "Text":
    """Return a text with its parts from the repository; print which. Raises `DataError` for damaged files.

    >>> topics = text("python_topics")
    Python's topics: ...
    >>> len(topics.train), len(topics.held_out)
    (391705, 49659)
    """
    from course_utils.data import locations, text_set

    data_set = _find(name, "text")
    place, why = locations.locate(data_set, CACHE, fetch=False)
    (train, held_out, repeated), checks = data_set.read(place)
    sentence = locations.sentence(data_set, place, why, checks=checks)
    print(sentence)
    return text_set.Text(train, held_out, repeated, sentence)


def unpack(name: str, target: Path | str, *, cache: Path = CACHE) -> str:
    """Write the verified IDX files of a data set under `target`, in the layout that torchvision's classes expect.

    Downloads nothing that `load` would not download. Returns the source, "full" or "sample". Raises `DataError` or
    OSError.

    >>> source = unpack("mnist", "here")
    >>> sorted(path.name for path in Path("here").rglob("train-*"))
    ['train-images-idx3-ubyte', 'train-labels-idx1-ubyte']
    """
    from course_utils.data import locations

    data_set = _find(name, "load")
    place, _ = locations.locate(data_set, cache, fetch=True)
    root = Path(target) / data_set.folder
    atomic.make_folder(root)
    for file in data_set.files_of(place.source):
        atomic.write(root / file.name, data_set.read(place, file)[0])
    return place.source


def available(name: str, *, cache: Path = CACHE) -> tuple[str, str]:
    """Return (source, sentence) of the data that `load` would find without a download.

    The source is "full", "sample" or "none". Only sizes and headers are read. Raises `DataError` for damage that
    shows there.

    >>> source, sentence = available("mnist")
    >>> source in ("full", "sample")
    True
    """
    from course_utils.data import locations, registry

    data_set = registry.find(name)
    try:
        place, why = locations.locate(data_set, cache, fetch=False)
    except locations.NothingHere as error:
        return "none", str(error)
    checks = data_set.check_start(place)
    return place.source, locations.sentence(data_set, place, why, checks=checks)


def get(name: str, *, cache: Path = CACHE) -> list[str]:
    """Download a data set into the project's data/cache, unless it is there or in COURSE_DATA.

    Returns a sentence for each place that has it, after verifying everything. Raises `DataError`.

    >>> get("python_topics")
    ["Python's topics: all 3 files of the repository are whole; ..."]
    """
    from course_utils.data import download, locations, registry

    data_set = registry.find(name)
    places = locations.in_repository, locations.in_course_data
    if not any(place(data_set) for place in places) and locations.in_cache(data_set, cache) is None:
        if offline():
            here = f"{data_set.title} is not here and COURSE_OFFLINE=1 forbids a download"
            raise DataError(f"{here}: unset it, then get.")
        download.fetch(data_set, cache, ask_again=True)
    return verify(name, cache=cache)


def why_offline(name: str = "mnist") -> str:
    """Return why nothing can be downloaded now, or "" if a server answers within 5 s. Raises `DataError`.

    >>> why_offline()  # here with COURSE_OFFLINE=1
    'COURSE_OFFLINE=1 forbids it'
    """
    from course_utils.data import download, registry

    if offline():
        return "COURSE_OFFLINE=1 forbids it"
    return download.why_silent(registry.find(name))


def verify(name: str, *, cache: Path = CACHE) -> list[str]:
    """Read every file of every place that has the data set; return a sentence for each place. Raises `DataError`.

    >>> verify("python_topics")
    ["Python's topics: all 3 files of the repository are whole; ..."]
    """
    from course_utils.data import locations, registry

    data_set = registry.find(name)
    found = locations.in_course_data(data_set), locations.in_cache(data_set, cache), locations.embedded(data_set)
    sentences = [f"{data_set.title}: {data_set.verify(place)}." for place in found if place is not None]
    if not sentences:
        locations.locate(data_set, cache, fetch=False)  # raises an error that says how to get the data set
    return sentences


def _find(name, call):
    """Return the data set of a name, if it is of the kind that the function `call` returns."""
    from course_utils.data import registry

    data_set = registry.find(name)
    if data_set.call != call:
        asked = f"`{data_set.call}({data_set.name!r})`"
        raise DataError(f"{data_set.title} comes in another form: ask for it with {asked}.")
    return data_set
