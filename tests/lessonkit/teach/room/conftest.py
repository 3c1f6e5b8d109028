"""What the tests of the room share: the tree of files that a submission sees, and this system's isolation."""

import pytest

from lessonkit.teach.room.sandbox import isolation
from lessonkit.teach.room.sandbox.visible import make_tree


@pytest.fixture(scope="session")
def tree(tmp_path_factory):
    """The course without its answers."""
    return make_tree(tmp_path_factory.mktemp("room") / "course")


@pytest.fixture(scope="session")
def apart():
    """An isolation that keeps files and network out of sight; tests of hostile code need one."""
    found = isolation.available()
    if not found.of_files:
        pytest.skip("no bubblewrap and no namespaces here: hostile code is not run")
    return found
