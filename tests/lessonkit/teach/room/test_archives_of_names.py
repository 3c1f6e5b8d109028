"""A hundred archives of a class, names in ten scripts, as eleven platforms give them: people in are rows out."""

import json
from collections import Counter

import classes
import pytest

from lessonkit.notebook.catalog import find
from lessonkit.teach.room.collect import collect

CHAPTERS = find()


def rows(room):
    """Learner's name, squeezed -> how many notebooks were taken; and folder -> name, from the manifest."""
    manifest = json.loads((room / "collected.json").read_text(encoding="utf-8"))
    names = {person["folder"]: classes.squeezed(person["name"]) for person in manifest["people"]}
    taken = Counter(path.parent.name for path in room.glob("*/*.ipynb"))
    assert set(taken) == set(names), "a folder without a person, or a person without one"
    return {names[folder]: count for folder, count in taken.items()}, names


@pytest.mark.parametrize("seed", range(100))
def test_people_in_are_rows_out(tmp_path, seed):
    given = classes.make(seed)
    (tmp_path / "hw1.zip").write_bytes(classes.zipped(given.files))
    done = collect(tmp_path / "hw1.zip", tmp_path / "room", CHAPTERS)
    found, folders = rows(tmp_path / "room")
    assert found == given.expected, given.platform
    assert done.refused == [] and len(folders) == len(given.expected)
    assert len({folder.casefold() for folder in folders}) == len(folders), (
        "two folders are one on Windows and macOS"
    )
    assert not any(set(folder) & set('<>:"/\\|?*') or folder.endswith((".", " ")) for folder in folders)


@pytest.mark.parametrize("seed", range(100, 120))
def test_folders_that_were_unpacked_are_taken_as_the_archive_is(tmp_path, seed):
    given = classes.make(seed)
    for name, data in given.files.items():
        path = tmp_path / "hw1 (1)" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    collect(tmp_path / "hw1 (1)", tmp_path / "room", CHAPTERS)
    assert rows(tmp_path / "room")[0] == given.expected, given.platform


def test_the_archives_are_of_all_platforms_and_scripts():
    made = [classes.make(seed) for seed in range(100)]
    assert {one.platform for one in made} == {build.__name__ for build in classes.PLATFORMS}
    names = " ".join(name for one in made for name in one.expected)
    for script, people in classes.FIRST.items():
        assert any(classes.squeezed(name) in names for name in people), script
