"""The sets that the course knows: what is written of them holds together; all kinds are asked in the same way."""

import inspect
import re

import pytest

from course_utils import PROJECT, datasets
from course_utils.data import registry
from course_utils.data.folder_set import FolderSet
from course_utils.data.idx import IdxSet
from course_utils.data.text_set import TextSet

SHARED = ("sizes", "total", "missing", "paths_in", "embedded", "check_start", "verify")


@pytest.mark.parametrize("method", SHARED)
def test_all_kinds_are_asked_in_the_same_way(method):
    def of(kind):
        parameters = inspect.signature(getattr(kind, method)).parameters.values()
        return [(parameter.name, parameter.kind, parameter.default) for parameter in parameters]

    assert of(IdxSet) == of(FolderSet) == of(TextSet)


def test_nobody_asks_for_the_kind_of_a_set():
    for path in (PROJECT / "course_utils" / "data").glob("*.py"):
        assert not re.search(r"isinstance\(\s*(data_set|self)", path.read_text(encoding="utf-8")), path
    assert "isinstance" not in inspect.getsource(datasets)


@pytest.mark.parametrize("name", registry.names())
def test_what_is_written_of_a_set_holds_together(name):
    data_set = registry.find(name)
    assert data_set.name == name and data_set.call in ("load", "folder", "text")
    assert all(mirror.startswith("http") and mirror.endswith("/") for mirror in data_set.mirrors)
    assert data_set.folder and not data_set.folder.startswith("/")


@pytest.mark.parametrize("name", ["mnist", "fashion_mnist"])
def test_every_idx_file_has_a_published_hash_and_ten_classes(name):
    data_set = registry.find(name)
    assert len(data_set.classes) == 10 and data_set.total() == 70_000
    for file in data_set.files:
        assert re.fullmatch("[0-9a-f]{32}", file.md5 or file.packed_md5)
    assert data_set.sizes() == "60,000 training and 10,000 test pictures"
    assert data_set.split_files("test") == data_set.files[2:]


def test_sizes_and_totals_of_the_samples():
    said = {
        name: (data_set.sizes("sample"), data_set.total("sample"))
        for name, data_set in registry.SPECS.items()
        if data_set.sample is not None
    }
    assert said == {
        "mnist": ("10,000 training and 2,000 test pictures", 12_000),
        "free_spoken_digits": ("120 recordings", 120),
        "hymenoptera": ("36 pictures, drawn for the course, no photographs", 36),
    }
