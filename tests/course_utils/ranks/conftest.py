"""What the tests of ranks share: that nothing is left of them."""

import tempfile

import aftermath
import pytest

from lessonkit.system import fork_server, processes


@pytest.fixture
def nothing_left(tmp_path, monkeypatch):
    """Afterwards: no process of this test, no file in its temporary folder, no segment more than before."""
    mark, temporary = f"test/{tmp_path}/", tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv(processes.MARK, mark)
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(name, str(temporary))
    yield mark
    fork_server.stop()  # it carries this test's mark, and would stay for the next ranks of this process
    assert processes.leftovers(mark, patience=0) == []
    assert list(temporary.iterdir()) == []


@pytest.fixture
def segments():
    """Afterwards: no segment of shared memory is left; other tests, meanwhile, make semaphores."""
    begins = ("psm_", "torch_")
    before = aftermath.shared_memory(begins=begins)
    yield
    assert aftermath.abandoned(before, begins=begins) == set()
