"""Where a set may lie and which place is taken: the same for sets of both kinds."""

from dataclasses import replace

import pytest

from course_utils.data import download, locations, registry, settings
from course_utils.data.errors import DataError
from course_utils.data.idx import idx_files

DIGITS = replace(registry.find("mnist"), files=idx_files(train=4, test=2), mirrors=("http://127.0.0.1:9/",))
SOUNDS = replace(registry.find("free_spoken_digits"), parts=(("", 4),), mirrors=("http://127.0.0.1:9/",))
KINDS = pytest.mark.parametrize("data_set", [DIGITS, SOUNDS], ids=["IdxSet", "FolderSet"])


def fill(folder, data_set):
    """Write the four files that each of the two sets has here; what is in them is not looked at."""
    folder.mkdir(parents=True)
    names = (
        [file.packed_name for file in DIGITS.files] if data_set is DIGITS else [f"{i}_a_0.wav" for i in range(4)]
    )
    for name in names:
        (folder / name).write_bytes(b"content")
    return [folder / name for name in names]


@KINDS
def test_the_order_of_the_places(alone, monkeypatch, tmp_path, data_set):
    place, why = locations.locate(data_set, alone, fetch=False)
    assert (place.source, place.name, why) == ("sample", "the embedded sample", ["nothing has been downloaded yet"])
    assert place.root.parent == settings.SAMPLES
    monkeypatch.setenv("COURSE_OFFLINE", "1")
    assert locations.locate(data_set, alone, fetch=True)[1] == ["COURSE_OFFLINE=1 forbids a download"]
    fill(alone / data_set.folder, data_set)
    place, why = locations.locate(data_set, alone, fetch=True)
    assert (place.source, place.root, why) == ("full", alone / data_set.folder, [])
    assert place.advice == f"delete it and run `course data get {data_set.name}`"
    given = tmp_path / "given"
    given.mkdir()
    monkeypatch.setenv("COURSE_DATA", str(given))
    absent = [f"COURSE_DATA has no {data_set.title} in {data_set.folder}"]
    assert locations.locate(data_set, alone, fetch=True) == (place, absent)
    fill(given / data_set.folder, data_set)
    place, why = locations.locate(data_set, alone, fetch=True)
    assert (place.name, len(place.paths), why) == ("COURSE_DATA", 4, [])


@KINDS
def test_half_a_cache_is_no_place_and_half_a_course_data_is_refused(alone, monkeypatch, tmp_path, data_set):
    fill(alone / data_set.folder, data_set)[2].unlink()
    assert locations.in_cache(data_set, alone) is None
    fill(tmp_path / "given" / data_set.folder, data_set)[2].unlink()
    monkeypatch.setenv("COURSE_DATA", str(tmp_path / "given"))
    with pytest.raises(DataError, match=r"3 of (the )?4 ") as error:
        locations.locate(data_set, alone, fetch=True)
    assert error.value.reason == f"{data_set.folder} is incomplete"


@KINDS
def test_a_download_and_its_failure_are_told(alone, monkeypatch, data_set):
    def fail(*_):
        raise DataError("The disk is full: free some.", "the disk is full")

    monkeypatch.setattr(download, "fetch", fail)
    place, why = locations.locate(data_set, alone, fetch=True)
    assert (place.source, why) == ("sample", ["the disk is full"])
    monkeypatch.setattr(download, "fetch", lambda data_set, cache: fill(cache / data_set.folder, data_set))
    place, why = locations.locate(data_set, alone, fetch=True)
    assert (place.name, why) == ("a download, now kept in the project's data/cache", [])
    said = locations.sentence(data_set, place, why, checks="not looked at")
    assert said == f"{data_set.title}: the full set ({data_set.sizes()}) from {place.name}; not looked at."


@KINDS
def test_a_wrong_mirror_is_an_error_and_no_reason_for_the_sample(alone, monkeypatch, data_set):
    monkeypatch.setenv("COURSE_MIRROR", "ftp://mirror.example")
    with pytest.raises(DataError, match=r"COURSE_MIRROR=ftp://mirror\.example is not a web address"):
        locations.locate(data_set, alone, fetch=True)


def test_a_file_where_a_folder_is_expected_is_told(alone):
    alone.mkdir()
    (alone / "MNIST").write_bytes(b"")
    with pytest.raises(
        DataError, match=r"MNIST.raw cannot be searched: found a file there, expected a folder; move"
    ):
        locations.in_cache(DIGITS, alone)
