"""The data sets of the course: their files, published hashes, mirrors and classes."""

from course_utils.data.archive import Archive
from course_utils.data.errors import DataError
from course_utils.data.folder_set import FolderSet
from course_utils.data.idx import IdxSet, idx_files
from course_utils.data.text_set import TextSet

# The three kinds. `locations` and `download` ask all of them the same: sizes, total, missing, paths_in, embedded,
# check_start and verify. How a set is read differs, and is asked by the function that each names in `call`.
DataSet = IdxSet | FolderSet | TextSet


def names() -> tuple[str, ...]:
    """Return the names of all data sets."""
    return tuple(SPECS)


def find(name: str) -> DataSet:
    """Return the data set of a name. Raise `DataError` for a name that does not exist."""
    if name not in names():
        raise DataError(f"There is no data set {name!r}: choose one of {', '.join(names())}.")
    return SPECS[name]


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

SPECS: dict[str, DataSet] = {
    "mnist": IdxSet(
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
        licence="CC BY-SA 3.0",
        passed_on=True,
    ),
    "fashion_mnist": IdxSet(
        name="fashion_mnist",
        title="Fashion-MNIST",
        folder="FashionMNIST/raw",
        mirrors=("http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",),
        classes=tuple(_GARMENTS.split(",")),
        files=idx_files(train=60_000, test=10_000, packed_md5s=_FASHION_PACKED_MD5S),
        licence="MIT",
        passed_on=True,
    ),
    "free_spoken_digits": FolderSet(
        name="free_spoken_digits",
        title="Free Spoken Digit Dataset",
        folder="free-spoken-digits",
        mirrors=("https://github.com/Jakobovski/free-spoken-digit-dataset/archive/refs/heads/",),
        files=(Archive("master.zip", inside="free-spoken-digit-dataset-master/recordings/", size=80_000_000),),
        things="recordings",
        suffixes=(".wav",),
        parts=(("", 3000),),
        sample=(("", 120),),
        sha256="44c8e2002eef7b944445e96603c78e68ce69f0a0156657cc7c92e6ed7828925f",
        sample_sha256="2327e63a35d0e3be6274195fe7cfe392ee78be9026e33bf88ce5ea3bd3d23615",
        licence="CC BY-SA 4.0",
        passed_on=True,
    ),
    "hymenoptera": FolderSet(
        name="hymenoptera",
        title="Ants and bees",
        folder="hymenoptera_data",
        mirrors=("https://download.pytorch.org/tutorial/",),
        files=(Archive("hymenoptera_data.zip", inside="hymenoptera_data/", size=80_000_000),),
        things="pictures",
        suffixes=(".jpg", ".jpeg"),
        parts=(("train/ants", 123), ("train/bees", 121), ("val/ants", 70), ("val/bees", 83)),
        sample=(("train/ants", 12), ("train/bees", 12), ("val/ants", 6), ("val/bees", 6)),
        sha256="eb55ef7b49a419e9aacac7cd9fb77cdfe9c2d3d4853159708ec28d3dca58a4a7",
        sample_sha256="97d38d9f6ca6621fefc018f1a25b091e2303745f63b793abecd0b8a3412ab53f",
        sample_note=", drawn for the course, no photographs",
        licence="various owners, not stated",
    ),
    "python_topics": TextSet(
        name="python_topics",
        title="Python's topics",
        folder="python_topics",
        letters=(391_705, 49_659, 23_742),
        sha256="09d5526bffa05598f92b256103e4cefcb307bc01ea054112985394beffb86567",
    ),
}
