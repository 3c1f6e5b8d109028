"""Downloads that share, verify and give up in time, against a server of our own on a free port."""

import errno
import gzip
import hashlib
import os
import pickle
import random
import socket
import subprocess
import sys
import threading
import time
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from course_utils.data import download, idx, registry
from course_utils.data.errors import DataError
from course_utils.data.idx import idx_files

# Of the layout of MNIST, and random, so that packing does not shrink it and a file takes several chunks.
RAW = {
    file.name: file.header + random.Random(file.name).randbytes(file.size - len(file.header))
    for file in idx_files(train=400, test=100)
}
PACKED = {f"{name}.gz": gzip.compress(content, mtime=0) for name, content in RAW.items()}
SPEC = replace(
    registry.find("mnist"),
    mirrors=(),
    files=idx_files(train=400, test=100, md5s=[hashlib.md5(content).hexdigest() for content in RAW.values()]),
)
IMAGES = "train-images-idx3-ubyte.gz"


class Server(ThreadingHTTPServer):
    """Serves PACKED under MNIST/raw and keeps a list of what was asked: (method, file)."""

    request_queue_size = 64
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files, self.asked = dict(PACKED), []
        self.cut = {}  # file -> bytes after which the connection is dropped, once each
        self.dies, self.dead = False, False  # whether the first cut is its end
        self.stall = None  # bytes after which nothing more comes
        self.knows_head = True
        self.endless = False  # whether other bytes follow each file until the connection is closed
        self.headers = {}  # sent besides Content-Length
        self.length = None  # said in place of the true one
        self.elsewhere = None  # where every GET is redirected to
        self.over = threading.Event()
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def gets(self, name=None):
        return [entry for entry in self.asked if entry[0] == "GET" and name in (None, entry[1])]

    def stop(self):
        self.over.set()
        self.shutdown()
        self.server_close()


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        server, name = self.server, self.path.removeprefix("/MNIST/raw/")
        if server.dead:
            return self.connection.close()
        server.asked.append((self.command, name))
        if self.command == "HEAD" and not server.knows_head:
            return self.send_error(501)
        if name not in server.files:
            return self.send_error(404)
        if server.elsewhere and self.command == "GET":
            self.send_response(302)
            self.send_header("Location", server.elsewhere)
            self.send_header("Content-Length", "0")
            return self.end_headers()
        content = server.files[name]
        self.send_response(200)
        for header, value in server.headers.items():
            self.send_header(header, value)
        if not server.endless:
            self.send_header("Content-Length", server.length or str(len(content)))
        self.end_headers()
        if self.command == "HEAD":
            return None
        server.dead = server.dies and name in server.cut
        end = server.cut.pop(name, server.stall or len(content))
        self.wfile.write(content[:end])
        self.wfile.flush()
        try:
            while server.endless and not server.over.is_set():
                self.wfile.write(b"and so on " * 5_000)
        except OSError:
            pass  # the other side has had enough
        if server.stall:
            server.over.wait(20)
        return None


@pytest.fixture
def server(monkeypatch):
    server = Server()
    monkeypatch.setenv("COURSE_MIRROR", server.url)
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def a_fresh_process(monkeypatch):
    for name in ("COURSE_DATA", "COURSE_OFFLINE", "COURSE_MIRROR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setattr(download, "_failed", {})


def contents(cache):
    folder = cache / SPEC.folder
    return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.exists() else {}


def fetch(cache, spec=SPEC, **options):
    download.fetch(spec, cache, **{"pause": 0.01, "budget": 2.0, "stall": 2.0} | options)


def test_every_file_comes_once_and_is_not_fetched_again(server, tmp_path, capfd):
    fetch(tmp_path)
    fetch(tmp_path)
    assert contents(tmp_path) == PACKED
    assert sorted(name for _, name in server.gets()) == sorted(PACKED)
    assert capfd.readouterr() == ("", ""), "no progress bar where nobody looks on"


CHILD = """
import pickle, sys
from course_utils.data import download, idx
spec, cache = pickle.load(open(sys.argv[1], "rb"))
print("ready", flush=True)
sys.stdin.readline()
download.fetch(spec, cache)
for file in spec.files:
    assert idx.read(cache / spec.folder / file.packed_name, file, advice="")[1]
assert "torch" not in sys.modules
print("whole", flush=True)
"""


def test_thirty_processes_start_one_download(server, tmp_path):
    (tmp_path / "job").write_bytes(pickle.dumps((SPEC, tmp_path / "cache")))
    command = [sys.executable, "-c", CHILD, str(tmp_path / "job")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    children = [subprocess.Popen(command, **pipes) for _ in range(30)]
    try:
        assert [child.stdout.readline() for child in children] == ["ready\n"] * 30
        for child in children:  # all are alive, none has begun
            child.stdin.write("go\n")
            child.stdin.flush()
        assert [child.communicate(timeout=60)[0] for child in children] == ["whole\n"] * 30
    finally:
        for child in children:
            child.kill()
            child.wait()
    assert [child.returncode for child in children] == [0] * 30
    assert sorted(name for _, name in server.gets()) == sorted(PACKED)
    assert contents(tmp_path / "cache") == PACKED


def test_a_server_killed_half_way_is_told_and_the_next_call_begins_anew(server, tmp_path, monkeypatch):
    server.cut[IMAGES], server.dies = len(PACKED[IMAGES]) // 2, True
    with pytest.raises(
        DataError, match=r"127\.0\.0\.1:\d+ broke off .*expected it to the end; nothing was kept: try "
    ):
        fetch(tmp_path)
    server.stop()
    assert contents(tmp_path) == {}
    revived = Server()
    monkeypatch.setenv("COURSE_MIRROR", revived.url)
    fetch(tmp_path)
    revived.stop()
    assert len(revived.gets(IMAGES)) == 1
    assert contents(tmp_path) == PACKED


def test_a_connection_that_drops_is_asked_again_within_the_call(server, tmp_path):
    server.cut[IMAGES] = 100_000
    fetch(tmp_path)
    assert len(server.gets(IMAGES)) == 2 and contents(tmp_path) == PACKED


def test_what_a_killed_process_left_is_removed(server, tmp_path):
    (tmp_path / SPEC.folder).mkdir(parents=True)
    left = tmp_path / SPEC.folder / f"{IMAGES}.0123456789abcdef.saving"
    left.write_bytes(PACKED[IMAGES][:1_000])
    os.utime(left, (0, 0))  # Windows, where nothing shows that its writer is dead, waits a minute
    fetch(tmp_path)
    assert contents(tmp_path) == PACKED


@pytest.mark.parametrize(
    "wrong", [b"<html>Welcome to the hotel</html>", gzip.compress(bytes(9), mtime=0), b"", bytes(900_000)]
)
def test_wrong_content_is_refused_after_one_retry_and_nothing_is_kept(server, tmp_path, wrong):
    server.files[IMAGES] = wrong
    with pytest.raises(DataError, match=r"refused twice: .*found .*expected .*try again later"):
        fetch(tmp_path)
    assert len(server.gets(IMAGES)) == 2
    assert contents(tmp_path) == {}


def test_a_page_for_people_is_no_answer(server, tmp_path):
    server.headers["Content-Type"] = "text/html; charset=utf-8"
    with pytest.raises(
        DataError, match=r"a web page in place of the file came from .*log in with a browser"
    ) as said:
        fetch(tmp_path)
    assert said.value.reason == "a web page in place of the file came from a download server's address"
    assert server.gets() == [] and contents(tmp_path) == {}


def test_an_answer_that_is_not_encrypted_is_named(server, tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_MIRROR", server.url.replace("http:", "https:"))
    with pytest.raises(DataError, match=r"an answer that is not encrypted came from .*HTTPS_PROXY"):
        fetch(tmp_path)
    assert contents(tmp_path) == {}


def test_wrong_content_is_asked_of_the_next_mirror(server, tmp_path):
    server.files[IMAGES] = b"<html>"
    other = Server()
    fetch(tmp_path, replace(SPEC, mirrors=(f"{other.url}/MNIST/raw/",)))
    other.stop()
    assert len(server.gets(IMAGES)) == len(other.gets(IMAGES)) == 1
    assert contents(tmp_path) == PACKED


def test_only_the_published_packing_is_taken_where_no_other_md5_is_known(server, tmp_path):
    packed_md5s = [hashlib.md5(content).hexdigest() for content in PACKED.values()]
    spec = replace(SPEC, files=idx_files(train=400, test=100, packed_md5s=packed_md5s))
    fetch(tmp_path / "published", spec)
    assert contents(tmp_path / "published") == PACKED
    server.files[IMAGES] = gzip.compress(RAW[IMAGES.removesuffix(".gz")], compresslevel=0)
    with pytest.raises(DataError, match=r"found a packing of another MD5"):
        fetch(tmp_path / "again", spec)


def test_a_server_that_never_ends_is_cut_off_and_refused(server, tmp_path):
    server.endless = True
    with pytest.raises(DataError, match=r"refused twice: .*found .*expected "):
        fetch(tmp_path)
    assert contents(tmp_path) == {}


def test_a_redirect_to_what_is_no_address_is_a_connection_that_broke_off(server, tmp_path):
    server.elsewhere = "http://[nowhere/"
    with pytest.raises(DataError, match=r"broke off \(.*expected it to the end; nothing was kept"):
        fetch(tmp_path)
    assert len(server.gets(IMAGES)) == 3 and contents(tmp_path) == {}


def test_a_length_that_is_no_number_does_not_stop_a_good_file(server, tmp_path):
    server.length = "many"
    fetch(tmp_path)
    assert contents(tmp_path) == PACKED


def test_a_packing_that_the_server_announces_is_left_on(server, tmp_path):
    server.headers["Content-Encoding"] = "gzip"  # as some servers say of every .gz file
    fetch(tmp_path)
    assert contents(tmp_path) == PACKED


def test_a_server_that_knows_no_head_is_an_answer(server, tmp_path):
    server.knows_head = False
    fetch(tmp_path)
    assert contents(tmp_path) == PACKED


def test_a_stall_in_the_middle_times_out_and_keeps_nothing(server, tmp_path):
    server.stall = 5_000
    start = time.monotonic()
    with pytest.raises(DataError, match=r"broke off \(.*timed out.*\), .*nothing was kept"):
        fetch(tmp_path, stall=0.2)
    assert time.monotonic() - start < 15  # three tries of `stall` and the pauses between them
    assert contents(tmp_path) == {}


def closed_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def test_own_mirror_is_preferred_and_a_published_one_serves_when_it_is_dead(server, tmp_path, monkeypatch):
    other = Server()
    spec = replace(SPEC, mirrors=(f"{other.url}/MNIST/raw/",))
    fetch(tmp_path / "a", spec)
    assert len(server.gets()) == 4 and other.gets() == []
    monkeypatch.setenv("COURSE_MIRROR", f"http://127.0.0.1:{closed_port()}/")
    fetch(tmp_path / "b", spec)
    other.stop()
    assert len(other.gets()) == 4 and contents(tmp_path / "b") == PACKED


def test_a_published_server_that_hangs_costs_the_budget_and_the_next_one_serves(server, tmp_path, monkeypatch):
    monkeypatch.delenv("COURSE_MIRROR")
    with socket.create_server(("127.0.0.1", 0), backlog=8) as silent:
        hanging = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        start = time.monotonic()
        fetch(tmp_path, replace(SPEC, mirrors=(hanging, f"{server.url}/MNIST/raw/")), budget=0.5)
        assert time.monotonic() - start < 4
    assert contents(tmp_path) == PACKED


@pytest.mark.parametrize("kind", ["refused", "accepts and never answers", "name look-up hangs", "not found"])
def test_no_answer_costs_the_budget_once_per_process(kind, tmp_path, monkeypatch):
    over, looked_up = threading.Event(), []

    def hang(*_, **__):
        looked_up.append(1)
        over.wait(20)
        raise OSError("over")

    with socket.create_server(("127.0.0.1", 0), backlog=8) as silent:
        port = closed_port() if kind == "refused" else silent.getsockname()[1]
        helpful = Server() if kind == "not found" else None
        if helpful is not None:
            helpful.files, port = {}, helpful.server_port
        spec = replace(SPEC, mirrors=(f"http://localhost:{port}/a/", f"http://127.0.0.1:{port}/b/"))
        if kind == "name look-up hangs":
            monkeypatch.setattr(socket, "getaddrinfo", hang)
        start = time.monotonic()
        with pytest.raises(DataError, match=rf"no answer within 0.5 s .*localhost:{port}.*connect to a network"):
            fetch(tmp_path, spec, budget=0.5)
        first = time.monotonic() - start
        with pytest.raises(DataError, match=rf"no answer within 0.5 s .*localhost:{port}"):
            fetch(tmp_path, spec, budget=0.5)
        second = time.monotonic() - start - first
        over.set()
        if helpful is not None:
            helpful.stop()
    assert first < 2.5 and second < 0.4
    assert len(looked_up) in {0, 2}
    assert list(tmp_path.iterdir()) == [], "no file is left behind"


def test_an_explicit_get_asks_again(server, tmp_path):
    server.files = {}
    with pytest.raises(DataError, match=r"HTTP status 404"):
        fetch(tmp_path)
    server.files = dict(PACKED)
    with pytest.raises(DataError, match=r"HTTP status 404"):
        fetch(tmp_path)
    fetch(tmp_path, ask_again=True)
    assert contents(tmp_path) == PACKED


def test_a_mirror_that_is_no_web_address_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_MIRROR", "file:///tmp/mirror")
    with pytest.raises(DataError, match=r"COURSE_MIRROR=file:///tmp/mirror is not a web address: expected"):
        fetch(tmp_path)


def test_a_full_disk_is_said(server, tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(download, "atomic_write", full)  # a disk cannot be filled on every system
    with pytest.raises(DataError, match=r"found a full disk .*expected room to write: free "):
        fetch(tmp_path)


def test_a_folder_that_cannot_be_written_is_said(server, tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("pathlib.Path.mkdir", refuse)  # root may write everywhere, and Windows has no such mode
    with pytest.raises(DataError, match=r"found a folder that cannot be written .*expected room to write"):
        fetch(tmp_path)


def test_a_progress_bar_shows_in_a_terminal(tmp_path, monkeypatch, server):
    class Terminal:
        text = ""

        def write(self, text):
            self.text += text

        def flush(self):
            pass

        def isatty(self):
            return True

    monkeypatch.delenv("TQDM_DISABLE", raising=False)
    monkeypatch.setattr(sys, "stderr", Terminal())
    fetch(tmp_path)
    assert "train-images-idx3-ubyte.gz" in sys.stderr.text
    sys.stderr.text = ""
    monkeypatch.setenv("TQDM_DISABLE", "1")
    fetch(tmp_path / "again")
    assert sys.stderr.text == ""


def test_the_files_downloaded_are_read_from_the_cache(server, tmp_path):
    fetch(tmp_path)
    for file in SPEC.files:
        path = tmp_path / SPEC.folder / file.packed_name
        assert idx.read(path, file, advice="")[0] == RAW[file.name]
        assert os.access(path, os.R_OK)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no permissions by group")
def test_others_may_read_what_was_downloaded(server, tmp_path):
    (tmp_path / "new").touch()
    fetch(tmp_path)
    assert (tmp_path / SPEC.folder / IMAGES).stat().st_mode == (tmp_path / "new").stat().st_mode


IDLE = """
import sys
from course_utils import datasets
datasets.load("mnist")
datasets.available("hymenoptera")
print({"requests", "filelock"} & set(sys.modules))
"""


def test_nothing_is_imported_for_downloads_where_none_is_wanted():
    command, environment = [sys.executable, "-c", IDLE], {**os.environ, "COURSE_OFFLINE": "1"}
    out = subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout
    assert out.splitlines()[-1] == "set()"
