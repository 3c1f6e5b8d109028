"""The data sets of the course: their files, published hashes, mirrors and classes."""

from dataclasses import dataclass

from course_utils.data import locations
from course_utils.data.folder_set import FOLDERS
from course_utils.data.idx import DataError, IdxFile

SPLITS = ("train", "test")


@dataclass(frozen=True)
class Spec:
    """One data set. `files` and `sample` hold training images, training labels, test images, test labels."""

    name: str
    title: str
    folder: str  # as torchvision names it
    mirrors: tuple[str, ...]
    classes: tuple[str, ...]
    files: tuple[IdxFile, ...]
    sample: tuple[IdxFile, ...] | None = None

    def sizes(self, *, sample=False):
        """The two splits in words, such as `60,000 training and 10,000 test pictures`."""
        files = self.sample if sample else self.files
        return f"{files[0].shape[0]:,} training and {files[2].shape[0]:,} test pictures"

    def total(self):
        """The number of pictures of the full set."""
        return sum(file.shape[0] for file in self.files[::2])

    def missing(self, folder):
        """The files still to be fetched for a folder of the cache."""
        found = self.paths_in(folder, partial=True) or {}
        return [file for file in self.files if file.name not in found]

    def whole(self, paths):
        """Whether the files found (None: none) are all of the full set."""
        return paths is not None and len(paths) >= len(self.files)

    def paths_in(self, folder, *, partial=False):
        """{unpacked name: path} of the set's files in a folder; see `places.paths_in`."""
        return locations.paths_in(folder, self, partial=partial)


def names():
    """The names `load` knows."""
    return tuple(SPECS)


def find(name):
    """The `Spec` of a name. Raises `DataError` for a name that does not exist."""
    if name not in names():
        raise DataError(f"There is no data set {name!r}: choose one of {', '.join(names())}.")
    return SPECS[name]


def split_files(spec, split, *, sample=False):
    """The images' and the labels' file of a split. Raises `DataError` for a split that does not exist."""
    if split not in SPLITS:
        raise DataError(f"There is no split {split!r} in {spec.title}: choose one of {', '.join(SPLITS)}.")
    start = 2 * SPLITS.index(split)
    return (spec.sample if sample else spec.files)[start : start + 2]


def idx_files(*, train, test, md5s=(None,) * 4, packed_md5s=(None,) * 4):
    """The four files of a set of 28 × 28 pictures, `train` and `test` being the numbers of pictures."""
    names = (
        "train-images-idx3-ubyte",
        "train-labels-idx1-ubyte",
        "t10k-images-idx3-ubyte",
        "t10k-labels-idx1-ubyte",
    )
    shapes = ((train, 28, 28), (train,), (test, 28, 28), (test,))
    return tuple(IdxFile(*parts) for parts in zip(names, shapes, md5s, packed_md5s, strict=True))


# The MD5s of the unpacked files: the packed ones exist in several packings with the same content.
_MNIST_MD5S = (
    "6bbc9ace898e44ae57da46a324031adb",
    "a25bea736e30d166cdddb491f175f624",
    "2646ac647ad5339dbf082846283269ea",
    "27ae3e4e09519cfbb04c329615203637",
)
# What tools/make_samples.py prints.
_SAMPLE_MD5S = (
    "021030ff8088519836d2860f2577ca1b",
    "2ad8194f68b23bf8ca55076be835ca08",
    "57d27773958274f195190eee3b7b26b2",
    "180b659edfa6d052f1c155822644cea3",
)
# Here only the packed files' MD5s are published: https://github.com/zalandoresearch/fashion-mnist
_FASHION_PACKED_MD5S = (
    "8d4fb7e6c68d591d4c3dfef9ec88bf0d",
    "25c81989df183df01b3e8a0aad5dffbe",
    "bef4ecab320f06d8554ea6380940ec79",
    "bb300cfdad3c16e7a12a480ee83cd310",
)
_GARMENTS = "T-shirt/top,Trouser,Pullover,Dress,Coat,Sandal,Shirt,Sneaker,Bag,Ankle boot"

SPECS = {
    "mnist": Spec(
        name="mnist",
        title="MNIST",
        folder="MNIST/raw",
        mirrors=(
            "https://ossci-datasets.s3.amazonaws.com/mnist/",
            "https://storage.googleapis.com/cvdf-datasets/mnist/",
        ),
        classes=tuple("0123456789"),
        files=idx_files(train=60_000, test=10_000, md5s=_MNIST_MD5S),
        sample=idx_files(train=10_000, test=2_000, md5s=_SAMPLE_MD5S),
    ),
    "fashion_mnist": Spec(
        name="fashion_mnist",
        title="Fashion-MNIST",
        folder="FashionMNIST/raw",
        mirrors=("http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",),
        classes=tuple(_GARMENTS.split(",")),
        files=idx_files(train=60_000, test=10_000, packed_md5s=_FASHION_PACKED_MD5S),
    ),
    **FOLDERS,
}
