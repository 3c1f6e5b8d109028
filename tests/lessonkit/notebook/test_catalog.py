"""Chapters are found, chosen by number or slug, and asked for their title, data and parameters."""

import pytest
import toys
from toys import code, notebook, parameters

from lessonkit.notebook import catalog
from lessonkit.system.errors import Refused


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return toys.write(
        tmp_path_factory.mktemp("catalog") / "notebooks",
        _00_start=notebook(parameters(), code("1")),
        _05_training=notebook(parameters('PROFILE = "quick"\nLR = 1e-4\nSIZES = [1, 2]'), code("1")),
        _11_bare=notebook(code("1")),
    )


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ((), ["00_start", "05_training", "11_bare"]),
        (("5",), ["05_training"]),
        (("05", "training", "05_training"), ["05_training"]),
        (("11", "start"), ["00_start", "11_bare"]),
        (("05_training.ipynb",), ["05_training"]),
    ],
)
def test_chapters_go_by_number_or_slug(folder, names, expected):
    assert [chapter.name for chapter in catalog.select(catalog.find(folder), names)] == expected


def test_numbers_and_slugs_are_parts_of_the_name_and_order_goes_by_number(tmp_path):
    names = ("2_last", "01_first", "notes")
    folder = toys.write(tmp_path, **{f"_{name}": notebook(code("1")) for name in names})
    found = [(chapter.number, chapter.slug) for chapter in catalog.find(folder)]
    assert found == [(1, "first"), (2, "last")]


def test_a_name_that_no_chapter_has_is_refused_with_what_there_is(folder):
    with pytest.raises(Refused, match="no chapter called 7, end; there are: 00_start, 05_training, 11_bare"):
        catalog.select(catalog.find(folder), ("7", "5", "end"))


def test_parameters_are_read_with_their_values_and_only_changes_are_returned(folder):
    _, training, bare = catalog.find(folder)
    assert catalog.defaults(training) == {"PROFILE": "quick", "LR": 1e-4, "SIZES": [1, 2]}
    assert catalog.defaults(bare) == {}
    assert catalog.changed(training, {"LR": 1e-4, "PROFILE": "full", "SEED": 3}, optional=("SEED",)) == {
        "PROFILE": "full"
    }
    with pytest.raises(Refused, match="05_training has no parameter called SEED; it has: PROFILE, LR, SIZES"):
        catalog.changed(training, {"SEED": 3})


def test_the_data_sets_of_a_chapter_stand_in_its_metadata(tmp_path):
    book = notebook(code('load("not_this_one")'))
    book.metadata["course"] = {"data": ["mnist", "hymenoptera"]}
    folder = toys.write(tmp_path, _00_a=book, _01_b=notebook(code("1")))
    assert [catalog.data_sets(chapter) for chapter in catalog.find(folder)] == [["mnist", "hymenoptera"], []]


@pytest.mark.parametrize("content", ["", "no json", "{}", "[]", '{"cells": 3}'])
def test_a_file_that_is_no_notebook_is_refused(tmp_path, content):
    path = tmp_path / "00_broken.ipynb"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(Refused, match="is not a notebook"):
        catalog.defaults(catalog.Chapter(path))
    with pytest.raises(Refused, match="no chapter"):
        catalog.find(tmp_path / "elsewhere")


def test_the_claim_stands_behind_the_number():
    assert catalog.claim("# 05 · The same net, 99 %\n\n**60 minutes") == "The same net, 99 %"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("**55 minutes for the core, 105 with *Further*.**", (55, 105)), ("About 55 minutes.", (55, 55))],
)
def test_minutes_for_the_core_and_for_all(text, expected):
    assert catalog.minutes(text) == expected


def test_a_title_without_minutes_is_named():
    with pytest.raises(ValueError, match="no minutes in the title cell that begins with"):
        catalog.minutes("# 05 · The same net")
