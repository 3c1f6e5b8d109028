"""Make the samples of real data that lie in the repository: `COURSE_DATA=… python tools/make_samples.py`.

MNIST: 1,000 training and 200 test pictures of every digit, drawn with a fixed seed from originals whose MD5 is
verified, kept in the originals' order. The same originals give the same bytes: the dates in the zip are fixed.
Spoken digits: recordings 0 and 1 of every digit by every speaker, copied as they are.
"""

import argparse
import hashlib
import random
import shutil
import sys
import zipfile
from pathlib import Path

from course_utils.data import folder_set, idx, registry, settings

SEED = 20260101


def draw(labels, per_class, *, classes, rng):
    """Positions of `per_class` members of each class, in rising order."""
    chosen = []
    for label in range(classes):
        members = [i for i, value in enumerate(labels) if value == label]
        # Only random() is promised to stay the same in later Pythons, so the draw is a sort by it.
        chosen += sorted(members, key=lambda _: rng.random())[:per_class]
    return sorted(chosen)


def members(spec, folder):
    """The four IDX files of the sample as {name: bytes}. Raises `DataError` unless the originals are verified."""
    paths = spec.paths_in(folder)
    rng = random.Random(SEED)
    contents = {}
    for split in idx.SPLITS:
        originals = [
            idx.read(paths[file.name], file, advice="draw from an intact copy")[0]
            for file in spec.split_files(split)
        ]
        image_file, label_file = spec.split_files(split, "sample")
        images, labels = originals[0][16:], originals[1][8:]
        classes = len(spec.classes)
        chosen = draw(labels, label_file.shape[0] // classes, classes=classes, rng=rng)
        area = 28 * 28
        contents[image_file.name] = image_file.header + b"".join(images[i * area : (i + 1) * area] for i in chosen)
        contents[label_file.name] = label_file.header + bytes(labels[i] for i in chosen)
    return contents


def write(contents, target):
    """Write the members deflated, with fixed dates and permissions, so that the bytes depend on nothing else."""
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in contents.items():
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.create_system = 3  # Unix, on every system
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content, compress_type=zipfile.ZIP_DEFLATED, compresslevel=9)


def copy_recordings(folder, target):
    """Copy the sample of the spoken digits; returns the files written. Raises `DataError`."""
    spec = registry.find("free_spoken_digits")
    originals = spec.paths_in(folder)
    if originals is None:
        sys.exit(f"COURSE_DATA has no {spec.folder}: the sample is copied from the recordings there.")
    target.mkdir(parents=True, exist_ok=True)
    for path in originals.values():
        if path.stem.endswith(("_0", "_1")):
            shutil.copyfile(path, target / path.name)
    return folder_set.files_of(target, spec.suffixes)


def main():
    spec = registry.find("mnist")
    root = settings.course_data()
    if root is None:
        sys.exit("COURSE_DATA is not set: set it to the folder that holds MNIST/raw with the four original files.")
    if spec.paths_in(root / spec.folder) is None:
        sys.exit(f"COURSE_DATA has no {spec.folder}: the sample is drawn from the four original files there.")
    contents = members(spec, root / spec.folder)
    target = Path(settings.SAMPLES / "mnist.zip")
    write(contents, target)
    for name, content in contents.items():
        print(f"{hashlib.md5(content, usedforsecurity=False).hexdigest()}  MD5 of {name}, {len(content):,} bytes")
    digest = hashlib.sha256(target.read_bytes()).hexdigest()
    print(f"{digest}  SHA-256 of {target.name}, {target.stat().st_size:,} bytes")
    target = settings.SAMPLES / "free-spoken-digits"
    files = copy_recordings(root / target.name, target)
    size = sum(path.stat().st_size for path in files)
    print(f"{folder_set.digest(target, files)}  SHA-256 of {target.name}, {len(files)} recordings, {size:,} bytes")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    main()
