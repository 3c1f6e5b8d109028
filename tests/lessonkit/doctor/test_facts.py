"""What counts as a package that is not there."""

import sys

from lessonkit.doctor import facts
from lessonkit.system.course import Course


def test_here_nothing_is_missing_and_an_unknown_package_is():
    assert facts.missing() == () and facts.lacking("torch") == ""
    assert facts.lacking("no-such-package") == "no-such-package"


def test_soundfile_without_its_library_is_missing(tmp_path, monkeypatch):
    (tmp_path / "soundfile.py").write_text("raise OSError('cannot load library')", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "soundfile", raising=False)
    assert facts.lacking("soundfile") == "soundfile's library (libsndfile)"
    assert "soundfile's library (libsndfile)" in facts.missing()


def test_what_is_asked_for_is_what_the_course_s_distribution_says(monkeypatch):
    monkeypatch.setattr(facts, "course", lambda: Course(distribution="no-such-course"))
    assert facts.missing() == ("no-such-course",)
    monkeypatch.setattr(facts, "course", Course)
    assert facts.missing() == ()
