"""What is imported in the block is never collected; what comes later is, as before."""

import gc
import subprocess
import sys
import weakref

import pytest

from lessonkit.system.fast_imports import without_collection


class Thing:
    pass


def in_a_ring():
    thing = Thing()
    thing.itself = thing
    return weakref.ref(thing)


@pytest.fixture(autouse=True)
def on_again():
    """The collector is on; what was frozen stays so, as it does for all that pytest has collected (conftest.py)."""
    gc.collect()  # lest the garbage of earlier tests is frozen with it
    yield
    gc.enable()


def test_what_the_block_makes_stays_and_what_comes_later_is_collected():
    with without_collection():
        assert not gc.isenabled()
        stays = in_a_ring()
    assert gc.isenabled()
    goes = in_a_ring()
    gc.collect()
    assert stays() is not None and goes() is None


def test_a_collector_that_was_off_stays_off_and_an_error_leaves_it_on():
    with pytest.raises(ImportError), without_collection():
        raise ImportError
    assert gc.isenabled()
    gc.disable()
    with without_collection():
        pass
    assert not gc.isenabled()


COUNTED = """if True:
    import contextlib, gc, sys
    from lessonkit.system.fast_imports import without_collection
    runs = []
    gc.callbacks.append(lambda phase, info: runs.append(phase))
    with without_collection() if sys.argv[1] == "stay" else contextlib.nullcontext():
        import torch
    print(len(runs), gc.get_freeze_count())
"""


def test_importing_torch_runs_no_collection():
    said = {
        how: subprocess.run([sys.executable, "-c", COUNTED, how], capture_output=True, text=True, check=True).stdout
        for how in ("stay", "as ever")
    }
    (runs, frozen), (runs_else, frozen_else) = (map(int, text.split()) for text in said.values())
    assert runs == 0 < runs_else and frozen > 100_000 > frozen_else
