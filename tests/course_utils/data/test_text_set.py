"""The text that is embedded whole: what its parts promise, what is said of it, and that damage is refused."""

import shutil
import sys

import make_text_sample
import pytest

from course_utils import PROJECT, datasets
from course_utils.data import locations, registry, settings
from course_utils.data.errors import DataError

TOPICS = registry.find("python_topics")
FOLDER = PROJECT / "data" / "samples" / TOPICS.folder


def test_the_parts_come_with_one_sentence_and_without_a_network(monkeypatch, capsys):
    monkeypatch.setattr("course_utils.data.download.fetch", lambda *a, **k: pytest.fail("a download"))
    text = datasets.text("python_topics")
    assert capsys.readouterr().out == f"{text.sentence}\n"
    assert "391,705 letters for training" in text.sentence and "the recorded SHA-256" in text.sentence
    assert tuple(map(len, (text.train, text.held_out, text.repeated))) == TOPICS.letters
    assert text.train.isprintable() is False and "\r" not in text.train + text.held_out + text.repeated


def test_no_long_line_of_the_held_out_part_stands_in_the_training_part(capsys):
    text = datasets.text("python_topics")
    asked = make_text_sample.long_lines(text.held_out)
    assert not asked & make_text_sample.long_lines(text.train)
    for paragraph in text.repeated.split("\n\n"):
        assert asked & make_text_sample.long_lines(paragraph), paragraph
    assert set(text.held_out) <= set(text.train), "every letter was seen in training"


@pytest.mark.skipif(sys.version_info[:3] != (3, 11, 7), reason="the topics are those of CPython 3.11.7")
def test_the_text_can_be_cut_again():
    from pydoc_data import topics

    for part, text in make_text_sample.divide(topics.topics).items():
        assert text == (FOLDER / f"{part}.txt").read_text(encoding="utf-8"), part


def test_get_and_verify_find_it_where_it_is(monkeypatch):
    monkeypatch.setenv("COURSE_OFFLINE", "1")
    (sentence,) = datasets.verify("python_topics")
    assert datasets.get("python_topics") == [sentence] and "all 3 files of the repository are whole" in sentence
    assert datasets.available("python_topics")[0] == "full"


@pytest.fixture
def copied(tmp_path, monkeypatch):
    shutil.copytree(FOLDER, tmp_path / TOPICS.folder)
    monkeypatch.setattr(settings, "SAMPLES", tmp_path)
    return tmp_path / TOPICS.folder


def test_line_ends_of_another_system_are_no_damage(copied):
    for path in copied.glob("*.txt"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert len(datasets.text("python_topics").train) == TOPICS.letters[0]


def test_damage_is_refused_and_named(copied):
    whole = (copied / "train.txt").read_bytes()
    (copied / "train.txt").write_bytes(whole.replace(b"if", b"of", 1))
    with pytest.raises(DataError, match=r"SHA-256.*git checkout -- data/samples/python_topics"):
        datasets.text("python_topics")
    (copied / "train.txt").write_bytes(whole[:1000])
    with pytest.raises(DataError, match="1,000 bytes"):
        datasets.available("python_topics")
    (copied / "train.txt").unlink()
    with pytest.raises(DataError, match=r"train\.txt cannot be found"):
        datasets.text("python_topics")


def test_a_text_is_asked_for_by_its_own_function():
    with pytest.raises(DataError, match=r'text\("python_topics"\)|text\(.python_topics.\)'):
        datasets.load("python_topics")
    assert locations.in_course_data(TOPICS) is None
