"""Whether a folder can be written."""

import errno
import tempfile

from lessonkit.system.disk import nearest, why_not_writable


def test_a_folder_to_come_is_judged_by_the_one_it_will_lie_in(tmp_path, monkeypatch):
    assert why_not_writable(tmp_path / "not" / "yet") == ""
    assert list(tmp_path.iterdir()) == []

    def refuse(dir):
        raise PermissionError(errno.EACCES, "Permission denied", str(dir))

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    assert why_not_writable(tmp_path) == "Permission denied"


def test_the_nearest_folder_is_found(tmp_path):
    assert nearest(tmp_path / "not" / "yet") == nearest(tmp_path) == tmp_path
