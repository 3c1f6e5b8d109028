"""What COURSE_DATA, COURSE_OFFLINE and COURSE_MIRROR may say, and what is refused in words."""

from pathlib import Path

import pytest

from course_utils import PROJECT, datasets
from course_utils.data import settings
from course_utils.data.errors import DataError


def test_course_data_is_looked_for_here_then_from_the_project(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COURSE_DATA", "data")
    assert settings.course_data() == PROJECT / "data"
    (tmp_path / "data").mkdir()
    assert settings.course_data() == (tmp_path / "data").resolve()
    monkeypatch.setenv("COURSE_DATA", "nowhere")
    with pytest.raises(DataError, match=r"COURSE_DATA=nowhere is not a folder: looked at .* and .*; correct"):
        datasets.load("mnist")
    monkeypatch.setenv("COURSE_DATA", "")
    assert settings.course_data() is None


@pytest.mark.parametrize(
    ("value", "forbidden"),
    [("1", True), ("true", True), (" YES ", True), ("on", True), ("", False), ("0", False), ("false", False)],
)
def test_a_download_is_forbidden_by_a_word_for_yes(monkeypatch, value, forbidden):
    monkeypatch.setenv("COURSE_OFFLINE", value)
    assert settings.offline() is forbidden


def test_a_mirror_is_a_web_address_without_a_slash_at_its_end(monkeypatch):
    monkeypatch.delenv("COURSE_MIRROR", raising=False)
    assert settings.course_mirror() is None
    monkeypatch.setenv("COURSE_MIRROR", " https://mirror.example/data/ ")
    assert settings.course_mirror() == "https://mirror.example/data"
    monkeypatch.setenv("COURSE_MIRROR", "mirror.example")
    with pytest.raises(DataError, match=r"COURSE_MIRROR=mirror\.example is not a web address"):
        settings.course_mirror()


def test_the_project_is_where_this_test_is():
    assert Path(__file__).resolve().parents[3] == PROJECT
    assert settings.CACHE == PROJECT / "data" / "cache"
