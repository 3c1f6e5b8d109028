"""What counts as a package that is not there."""

import sys

from lessonkit.doctor import installed
from lessonkit.system.course import Course


def test_here_nothing_is_missing_and_an_unknown_package_is():
    assert installed.missing() == () and installed.lacking("torch") == ""
    assert installed.lacking("no-such-package") == "no-such-package"


def test_soundfile_without_its_library_is_missing(tmp_path, monkeypatch):
    (tmp_path / "soundfile.py").write_text("raise OSError('cannot load library')", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "soundfile", raising=False)
    assert installed.lacking("soundfile") == "soundfile's library (libsndfile)"
    assert "soundfile's library (libsndfile)" in installed.missing()


def test_what_is_asked_for_is_what_the_course_s_distribution_says(monkeypatch):
    monkeypatch.setattr(installed, "course", lambda: Course(distribution="no-such-course"))
    assert installed.missing() == ("no-such-course",)
    monkeypatch.setattr(installed, "course", Course)
    assert installed.missing() == ()
