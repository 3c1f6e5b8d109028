"""Which data `load` takes, what it says about it, and that damaged data is never replaced in silence."""

import gzip
import hashlib
import importlib.util
import pickle
import re
import socket
import subprocess
import sys
import time
import tracemalloc
import zlib
from dataclasses import replace

import pytest
import torch
from cut_off import cut_off
from torch.utils.data import DataLoader

from course_utils import PROJECT, datasets
from course_utils.data import download, locations, registry, settings
from course_utils.data.errors import DataError
from course_utils.data.idx import idx_files

MNIST = registry.find("mnist")
IMAGES = MNIST.files[0]
SAMPLE = "MNIST: the embedded sample (10,000 training and 2,000 test pictures), because {}; with a network, "
SAMPLE += "`course data get mnist` fetches all 70,000.\n"


def originals():
    """The folder that holds MNIST/raw with the real files; skips where there is none."""
    root = settings.course_data()
    if locations.in_course_data(MNIST) is None:
        pytest.skip("needs the original MNIST: set COURSE_DATA to a folder that holds MNIST/raw")
    return root


@pytest.fixture
def alone(monkeypatch, tmp_path):
    """The empty cache of a machine without settings and without a server that answers."""
    return cut_off(monkeypatch, tmp_path)


@pytest.fixture
def small(alone, monkeypatch, tmp_path):
    """A set like MNIST, 40 and 20 pictures without published MD5s, in COURSE_DATA; returns its folder."""
    spec = replace(MNIST, files=idx_files(train=40, test=20))
    monkeypatch.setitem(registry.SPECS, "mnist", spec)
    folder = tmp_path / "given" / spec.folder
    fill(folder, spec)
    monkeypatch.setenv("COURSE_DATA", str(tmp_path / "given"))
    return folder


def fill(folder, spec):
    folder.mkdir(parents=True)
    for file in spec.files:
        body = bytes(i % 10 for i in range(file.size - len(file.header)))
        (folder / file.name).write_bytes(file.header + body)


def test_the_sample_is_real_balanced_and_says_why(alone, monkeypatch, capsys):
    monkeypatch.setenv("COURSE_OFFLINE", "1")
    train, test = datasets.load("mnist", cache=alone), datasets.load("mnist", split="test", cache=alone)
    assert capsys.readouterr().out == 2 * SAMPLE.format("COURSE_OFFLINE=1 forbids a download")
    assert train.source == test.source == "sample"
    assert (train.images.shape, train.images.dtype) == ((10_000, 28, 28), torch.uint8)
    assert (train.targets.shape, train.targets.dtype) == ((10_000,), torch.int64)
    assert train.targets.bincount().tolist() == [1_000] * 10
    assert test.targets.bincount().tolist() == [200] * 10
    assert train.classes == tuple("0123456789")
    assert train.images.float().mean().item() / 255 == pytest.approx(0.1307, abs=0.002)


def test_an_item_is_a_picture_with_its_class(alone, monkeypatch):
    monkeypatch.setenv("COURSE_OFFLINE", "1")
    plain = datasets.load("mnist", cache=alone)
    scaled = datasets.load("mnist", transform=half, cache=alone)
    image, target = plain[3]
    assert (image.shape, image.dtype, type(target)) == ((1, 28, 28), torch.uint8, int)
    assert torch.equal(scaled[3][0], image / 2) and scaled[3][1] == target == plain.targets[3]
    assert plain[-1][1] == plain.targets[-1]
    with pytest.raises(IndexError):
        plain[10_000]


def half(image):
    return image / 2


def test_workers_started_afresh_can_use_it(small):
    data = datasets.load("mnist", transform=half)
    copy = pickle.loads(pickle.dumps(data))
    assert torch.equal(copy.images, data.images) and copy.source == "full"
    loader = DataLoader(data, batch_size=40, num_workers=1, multiprocessing_context="spawn")
    images, targets = next(iter(loader))
    assert torch.equal(images, data.images.unsqueeze(1) / 2) and torch.equal(targets, data.targets)


def test_the_full_set_is_read_and_verified_in_time(capsys):
    originals()
    start = time.process_time()  # what others do meanwhile is not its affair
    train = datasets.load("mnist")
    assert time.process_time() - start < 1.5
    assert (train.source, len(train)) == ("full", 60_000)
    assert capsys.readouterr().out == (
        "MNIST: the full set (60,000 training and 10,000 test pictures) from COURSE_DATA; "
        "the content has the published MD5.\n"
    )
    assert train.targets.bincount().tolist()[:3] == [5923, 6742, 5958]


def test_the_sample_can_be_drawn_again_byte_for_byte(tmp_path):
    path = PROJECT / "tools" / "make_samples.py"
    found = importlib.util.spec_from_file_location("make_samples", path)
    make_samples = importlib.util.module_from_spec(found)
    found.loader.exec_module(make_samples)
    contents = make_samples.members(MNIST, originals() / MNIST.folder)
    for file in MNIST.sample:
        assert hashlib.md5(contents[file.name]).hexdigest() == file.md5
    make_samples.write(contents, tmp_path / "mnist.zip")
    if "ng" in zlib.ZLIB_RUNTIME_VERSION:
        pytest.skip("zlib-ng packs otherwise than zlib; what is inside was compared and is the same")
    assert (tmp_path / "mnist.zip").read_bytes() == (settings.SAMPLES / "mnist.zip").read_bytes()


def test_the_sample_is_small_and_described():
    archive = settings.SAMPLES / "mnist.zip"
    assert archive.stat().st_size <= 2_500_000
    readme = (PROJECT / "data" / "README.md").read_text(encoding="utf-8")
    assert hashlib.sha256(archive.read_bytes()).hexdigest() in readme
    assert "CC BY-SA 3.0" in readme and "LeCun" in readme and "Cortes" in readme


def test_course_data_comes_before_the_cache_and_the_cache_before_the_sample(small, alone, capsys):
    spec = registry.find("mnist")
    fill(alone / spec.folder, spec)
    assert datasets.load("mnist", cache=alone).source == "full"
    assert "from COURSE_DATA; checked by header and size only" in capsys.readouterr().out
    for path in small.iterdir():
        path.unlink()
    assert datasets.load("mnist", cache=alone).source == "full"
    said = "from the project's data/cache, because COURSE_DATA has no MNIST in MNIST/raw; checked"
    assert said in capsys.readouterr().out
    (alone / spec.folder / spec.files[3].name).unlink()
    assert datasets.load("mnist", cache=alone).source == "sample", "half a cache is no data set"
    said = "because COURSE_DATA has no MNIST in MNIST/raw and no download server answered within 5 s; with"
    assert said in capsys.readouterr().out


def test_a_download_is_said_and_kept(small, alone, monkeypatch, capsys):
    monkeypatch.delenv("COURSE_DATA")
    monkeypatch.setattr(download, "fetch", lambda spec, cache, **_: fill(cache / spec.folder, spec))
    assert datasets.load("mnist", cache=alone).source == "full"
    assert "from a download, now kept in the project's data/cache; checked" in capsys.readouterr().out
    assert datasets.get("mnist", cache=alone)[0].startswith(
        "MNIST: all 4 files of the project's data/cache are whole"
    )


def test_a_failed_download_is_said_and_costs_its_time_once(alone, monkeypatch, capsys):
    with socket.create_server(("127.0.0.1", 0), backlog=8) as silent:
        monkeypatch.setenv("COURSE_MIRROR", f"http://127.0.0.1:{silent.getsockname()[1]}")
        start = time.perf_counter()
        assert datasets.load("mnist", cache=alone).source == "sample"
        # 5 s for the servers, and what a busy machine takes to read the sample
        assert 4.9 < time.perf_counter() - start < 30
        silent.setblocking(False)
        silent.accept()[0].close()
        assert datasets.load("mnist", cache=alone).source == "sample"
        with pytest.raises(BlockingIOError):
            silent.accept()  # it was not asked again
    assert capsys.readouterr().out == 2 * SAMPLE.format("no download server answered within 5 s")
    assert not alone.exists()


def test_a_set_without_a_sample_says_how_to_get_it(alone, monkeypatch, capsys):
    monkeypatch.setenv("COURSE_OFFLINE", "1")
    words = "nothing to load, because COURSE_OFFLINE=1 .*`course data get fashion_mnist` fetches it, or set"
    with pytest.raises(DataError, match=words):
        datasets.load("fashion_mnist", cache=alone)
    source, sentence = datasets.available("fashion_mnist", cache=alone)
    assert source == "none" and re.search(words, sentence)
    with pytest.raises(DataError, match="COURSE_OFFLINE=1 forbids a download"):
        datasets.get("fashion_mnist", cache=alone)
    assert capsys.readouterr().out == ""


def test_fashion_mnist_comes_through_the_same_reader(alone, monkeypatch, tmp_path, capsys):
    spec = registry.find("fashion_mnist")
    monkeypatch.setitem(registry.SPECS, spec.name, replace(spec, files=idx_files(train=30, test=10)))
    fill(tmp_path / "given" / spec.folder, registry.find("fashion_mnist"))
    monkeypatch.setenv("COURSE_DATA", str(tmp_path / "given"))
    data = datasets.load("fashion_mnist", split="test")
    assert (len(data), data.classes[9]) == (10, "Ankle boot")
    assert "checked by header and size only, as no MD5 is published for this packing" in capsys.readouterr().out
    assert datasets.verify("fashion_mnist", cache=alone) == [
        "Fashion-MNIST: all 4 files of COURSE_DATA are whole; "
        "checked by header and size only, as no MD5 is published for this packing."
    ]


def test_idx_files_are_unpacked_as_torchvision_wants_them(small, tmp_path):
    assert datasets.unpack("mnist", tmp_path / "root") == "full"
    for file in registry.find("mnist").files:
        assert (tmp_path / "root" / "MNIST" / "raw" / file.name).read_bytes() == (small / file.name).read_bytes()
    with pytest.raises(DataError, match="Ants and bees comes in another form: ask for it with `folder"):
        datasets.unpack("hymenoptera", tmp_path)


def test_unknown_names_and_splits_are_refused_with_what_exists():
    with pytest.raises(DataError, match="no data set 'minst': choose one of mnist, fashion_mnist"):
        datasets.load("minst")
    with pytest.raises(DataError, match="no split 'val' in MNIST: choose one of train, test"):
        datasets.load("mnist", split="val")
    assert datasets.names() == ("mnist", "fashion_mnist", "free_spoken_digits", "hymenoptera", "python_topics")


HEADER = IMAGES.header
CASES = {
    "cut gzip": (gzip.compress(HEADER + bytes(99_999))[:-20], "a packed file that is cut off"),
    "inside too short": (gzip.compress(HEADER + bytes(99_999)), "only 100,015 bytes inside, expected 47,040,016"),
    "wrong magic number": (b"\x00\x00\x08\x01" + HEADER[4:], "the magic number 0x00000801, expected 0x00000803"),
    "HTML page": (b"<!DOCTYPE html>", "a web page .*expected the IDX file train-images-idx3-ubyte"),
    "gigabytes": (HEADER[:4] + b"\xff" * 12, "claims 4,294,967,295 × .* bytes, expected 60,000 × 28 × 28"),
    "empty file": (b"", "an empty file, expected 47,040,016 bytes"),
    "folder": (None, "a folder, expected a file"),
    "other content": (gzip.compress(HEADER + bytes(60_000 * 784), 1), "the MD5 .*expected 6bbc9ace898e44ae57da46a"),
}


@pytest.mark.parametrize("place", ["COURSE_DATA", "cache"])
@pytest.mark.parametrize("case", CASES)
def test_damage_is_refused_and_not_replaced(alone, monkeypatch, tmp_path, case, place):
    content, found = CASES[case]
    root = alone if place == "cache" else tmp_path / "given"
    folder = root / MNIST.folder
    folder.mkdir(parents=True)
    for file in MNIST.files:
        (folder / file.packed_name).write_bytes(b"not looked at")
    path = folder / IMAGES.packed_name
    path.unlink()
    path.mkdir() if content is None else path.write_bytes(content)
    advice = "delete it and run `course data get mnist`"
    if place == "COURSE_DATA":
        monkeypatch.setenv("COURSE_DATA", str(root))
        advice = "replace it by a fresh copy, or unset COURSE_DATA"
    if case == "gigabytes":
        tracemalloc.start()
    with pytest.raises(DataError, match=found) as error:
        datasets.load("mnist", cache=alone)
    if case == "gigabytes":
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
        tracemalloc.stop()
    assert str(path) in str(error.value) and advice in str(error.value)
    assert path.is_dir() if content is None else path.read_bytes() == content


def test_a_class_that_does_not_exist_is_damage(small):
    labels = small / MNIST.files[1].name
    labels.write_bytes(labels.read_bytes()[:-1] + b"\x0a")
    with pytest.raises(DataError, match="found the class 10, expected classes 0 to 9"):
        datasets.load("mnist")


def test_an_incomplete_folder_is_refused(small):
    (small / "t10k-labels-idx1-ubyte").unlink()
    with pytest.raises(DataError, match=r"holds 3 of the 4 files of MNIST: t10k-labels-idx1-ubyte.gz cannot"):
        datasets.load("mnist")


def test_a_broken_link_counts_as_a_damaged_file(small):
    path = small / IMAGES.name
    path.unlink()
    try:
        path.symlink_to(small / "nowhere")
    except OSError:
        pytest.skip("this system lets only administrators make links")
    with pytest.raises(DataError, match="found no file"):
        datasets.load("mnist")


def test_available_looks_at_headers_only_and_asks_no_server(small, alone, monkeypatch):
    assert datasets.available("mnist", cache=alone) == (
        "full",
        "MNIST: the full set (40 training and 20 test pictures) from COURSE_DATA; only its headers were looked at.",
    )
    (small / IMAGES.name).write_bytes(b"<html>")
    with pytest.raises(DataError, match="a web page"):
        datasets.available("mnist", cache=alone)
    monkeypatch.delenv("COURSE_DATA")
    monkeypatch.setattr(download, "fetch", None)
    source, sentence = datasets.available("mnist", cache=alone)
    assert source == "sample" and "because nothing has been downloaded yet; with a network" in sentence


def test_verify_reads_every_place_to_the_end(small, alone):
    sentences = datasets.verify("mnist", cache=alone)
    assert len(sentences) == 2 and "COURSE_DATA are whole" in sentences[0]
    assert sentences[1] == "MNIST: all 4 files of the embedded sample are whole; the content has the recorded MD5."
    last = small / "t10k-labels-idx1-ubyte"
    last.write_bytes(last.read_bytes() + b"x")
    with pytest.raises(DataError, match="more than 28 bytes inside"):
        datasets.verify("mnist", cache=alone)


def test_a_damaged_sample_is_refused(alone, monkeypatch, tmp_path):
    monkeypatch.setenv("COURSE_OFFLINE", "1")
    content = (settings.SAMPLES / "mnist.zip").read_bytes()
    (tmp_path / "mnist.zip").write_bytes(content[:5_000] + b"\x00" * 9 + content[5_009:])
    monkeypatch.setattr(settings, "SAMPLES", tmp_path)
    with pytest.raises(DataError, match=r"expected .*git checkout -- data/samples/mnist\.zip"):
        datasets.load("mnist", cache=alone)


def test_importing_costs_little_beyond_torch():
    code = "import time, torch.utils.data; a = time.perf_counter(); import course_utils.datasets; "
    code += "print(time.perf_counter() - a)"
    seconds = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert float(seconds) < 0.5
