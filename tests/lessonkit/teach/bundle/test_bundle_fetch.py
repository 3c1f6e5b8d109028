"""Fetching wheels: what came is kept, what is damaged is not, and what does not come is said."""

import hashlib
import os
import subprocess
import sys
import time

import pytest

from lessonkit.notebook.catalog import Refused
from lessonkit.teach.bundle.fetch import PART, TRIES, Store
from lessonkit.teach.bundle.wheels import Wheel

CONTENT = bytes(range(256)) * 400  # 102,400 bytes
NAME = "alpha-1.0-py3-none-any.whl"


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")


def wheel(server, *, content=CONTENT, size=None):
    return Wheel("alpha", "1.0", f"{server.url}/{NAME}", size, hashlib.sha256(content).hexdigest())


def bring(server, folder, one=None, settings=None):
    told = []
    path = Store(folder, settings or {}, pause=0.01).bring(one or wheel(server), told.append)
    return path, sum(told)


def test_a_wheel_comes_once_and_its_size_is_asked_of_the_server(serve, tmp_path):
    server = serve({NAME: CONTENT})
    assert Store(tmp_path, {}).size(wheel(server)) == len(CONTENT)
    path, told = bring(server, tmp_path)
    assert path.read_bytes() == CONTENT and told == len(CONTENT)
    assert bring(server, tmp_path)[1] == 0
    assert [command for command, *_ in server.asked] == ["HEAD", "GET"]


def test_a_connection_that_breaks_off_goes_on_where_it_was(serve, tmp_path):
    server = serve({NAME: CONTENT * 30}, cut=[1_000_000, 1_000_000])
    path, told = bring(server, tmp_path, wheel(server, content=CONTENT * 30))
    assert path.read_bytes() == CONTENT * 30 and told == 30 * len(CONTENT)
    first, *starts = [asked for _, asked, _ in server.asked]
    starts = [int(asked.removeprefix("bytes=")[:-1]) for asked in starts]
    assert first is None and len(starts) == 2 and starts[0] > 900_000 and starts[1] > starts[0] + 900_000


def test_a_server_that_knows_no_ranges_sends_all_again(serve, tmp_path):
    server = serve({NAME: CONTENT}, cut=[40_000], knows_range=False)
    assert bring(server, tmp_path)[0].read_bytes() == CONTENT


def test_a_part_that_was_whole_needs_only_its_name(serve, tmp_path):
    (tmp_path / (NAME + PART)).write_bytes(CONTENT)
    server = serve({NAME: CONTENT})
    assert bring(server, tmp_path)[0].read_bytes() == CONTENT
    assert [asked for _, asked, _ in server.asked] == ["bytes=102400-"]


def test_a_part_and_a_wheel_that_the_disk_has_changed_come_anew(serve, tmp_path):
    (tmp_path / (NAME + PART)).write_bytes(b"x" * 5000)
    server = serve({NAME: CONTENT})
    path, _ = bring(server, tmp_path)
    path.write_bytes(CONTENT[:-1] + b"!")
    assert bring(server, tmp_path)[0].read_bytes() == CONTENT


def test_another_content_is_refused_and_not_kept(serve, tmp_path):
    server = serve({NAME: CONTENT[::-1]})
    with pytest.raises(Refused, match="came twice with another content"):
        bring(server, tmp_path, wheel(server))
    assert list(tmp_path.iterdir()) == [] and len(server.asked) == 2


def test_a_file_that_is_gone_is_asked_for_once(serve, tmp_path):
    server = serve({})
    with pytest.raises(Refused, match=r"does not come from 127.0.0.1 \(status 404\).*kept"):
        bring(server, tmp_path)
    assert len(server.asked) == 1


def test_a_busy_server_is_asked_several_times(serve, tmp_path):
    server = serve({NAME: CONTENT}, status=503)
    with pytest.raises(Refused, match="status 503"):
        bring(server, tmp_path)
    assert len(server.asked) == TRIES


def test_an_index_with_a_log_in_is_given_it_for_its_files(serve, tmp_path):
    server = serve({NAME: CONTENT})
    index = server.url.replace("//", "//ana:p%40ss@") + "/simple"
    assert bring(server, tmp_path, settings={"index-url": index})[0].exists()
    assert server.asked[0][2] == "Basic YW5hOnBAc3M="  # ana:p@ss


def test_an_index_that_is_a_folder_is_copied_from(tmp_path):
    source = tmp_path / "ein Ordner é" / NAME
    source.parent.mkdir()
    source.write_bytes(CONTENT)
    (tmp_path / "to").mkdir()
    one = Wheel("alpha", "1.0", source.as_uri(), None, hashlib.sha256(CONTENT).hexdigest())
    store = Store(tmp_path / "to", {})
    assert store.size(one) == len(CONTENT) and store.bring(one, print).read_bytes() == CONTENT


PROGRAM = """
import sys
from pathlib import Path
from lessonkit.teach.bundle.fetch import Store
from lessonkit.teach.bundle.wheels import Wheel
folder, url, digest = sys.argv[1:]
Store(Path(folder), {}).bring(Wheel("alpha", "1.0", url, None, digest), lambda _: None)
"""


def test_after_a_kill_the_rest_comes_and_nothing_twice(serve, tmp_path):
    server = serve({NAME: CONTENT * 30}, slow=0.005)
    one = wheel(server, content=CONTENT * 30)
    line = [sys.executable, "-c", PROGRAM, str(tmp_path), one.url, one.sha256]
    process = subprocess.Popen(line, env={**os.environ, "no_proxy": "*"})
    part, end = tmp_path / (NAME + PART), time.monotonic() + 60
    while time.monotonic() < end and not (part.exists() and part.stat().st_size >= 1 << 20):
        time.sleep(0.02)
    process.kill()
    process.wait(60)
    came = part.stat().st_size
    assert 1 << 20 <= came < 30 * len(CONTENT)
    server.slow = 0.0
    path, told = bring(server, tmp_path, one)
    assert path.read_bytes() == CONTENT * 30 and told == 30 * len(CONTENT) - came
    assert server.asked[-1][1] == f"bytes={came}-"
