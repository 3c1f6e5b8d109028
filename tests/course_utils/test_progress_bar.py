"""A loop's bar as cells have it: shown in a notebook's kernel, and nothing at all where TQDM_DISABLE says so."""

import os

import pytest
from jupyter_client.manager import KernelManager

from course_utils.progress_bar import progress
from lessonkit.runner.kernel import OwnPython

CELL = """
from course_utils.progress_bar import progress

print([number for number in progress((2, 4, 8))], dict(progress({"a": 1}.items())))
"""
BAR = "application/vnd.jupyter.widget-view+json"


@pytest.mark.parametrize(("disabled", "bars"), [("0", 2), ("1", 0)])
def test_a_kernel_shows_bars_unless_it_may_not_and_the_text_is_the_same(disabled, bars, tmp_path):
    manager = KernelManager(kernel_name="python3", kernel_spec_manager=OwnPython())
    manager.start_kernel(cwd=str(tmp_path), env=os.environ | {"TQDM_DISABLE": disabled})
    client = manager.blocking_client()
    client.start_channels()
    shown = []
    try:
        client.wait_for_ready(timeout=240)
        reply = client.execute_interactive(CELL, timeout=240, output_hook=shown.append)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    assert reply["content"]["status"] == "ok"
    displayed = [one["content"]["data"] for one in shown if one["msg_type"] == "display_data"]
    assert len(displayed) == bars and all(BAR in data and "text/plain" in data for data in displayed)
    written = [one["content"] for one in shown if one["msg_type"] == "stream"]
    assert "".join(one["text"] for one in written) == "[2, 4, 8] {'a': 1}\n"
    assert {one["name"] for one in written} == {"stdout"}


def test_a_loop_is_the_same_with_a_bar_and_ends_where_it_ends(monkeypatch):
    monkeypatch.setenv("TQDM_DISABLE", "1")
    numbers = progress([1, 2, 3])
    assert [number for number in numbers if number < 3] == [1, 2]
    assert list(progress(iter("ab"))) == ["a", "b"] and len(progress(range(7))) == 7
