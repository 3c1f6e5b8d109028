"""What the course starts answers on loopback, to whoever has the key, and shows what it is told as text."""

import ast
import contextlib
import http.client
import json
import random
import re
import signal
import string
import sys
import time

import psutil
import pytest
import risky
import toys
from classroom_here import open_room
from faults import many

from course_utils import PROJECT
from lessonkit.desk.lab_settings import opened_wider
from lessonkit.reporting.client import is_loopback
from lessonkit.teach.classroom import export, handlers, tokens

GOAL = 3000
EVENT = {"chapter": "training", "exercise": "train_step", "state": "known mistake", "mistake": "never_zeroed"}
EVIL = (
    "<script>fetch('/classroom.csv')</script>",
    "<img src=x onerror=alert(1)>",
    "</script><svg onload=alert(1)>",
    '" onmouseover="alert(1)',
    "javascript:alert(1)",
    "{{7*7}}${7*7}",
    '=HYPERLINK("http://evil.example")',
    "\u202e\u2066gnp.exe\x00\x1b[31m",
    "'; DROP TABLE learners; --",
)


HUNG_UP = 0  # in place of a status


@pytest.fixture(scope="module")
def room():
    with open_room() as opened:
        yield opened


def ask(room, method, path, body=None, headers=()):
    """(status, headers, bytes) of one request, whose headers are sent as they are; HUNG_UP where nothing came.

    A server that refuses may close before all that was sent is read, and the system then takes back its answer.
    """
    connection = http.client.HTTPConnection("127.0.0.1", room.opened.port, timeout=120)
    try:
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in headers:
            connection.putheader(name, value)
        connection.putheader("Content-Length", str(len(body or b"")))
        connection.endheaders(body or None)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    except ConnectionError:
        return HUNG_UP, {}, b""
    finally:
        connection.close()


def stranger(rng, room):
    """A request of somebody who has no key, or comes from a page elsewhere: (method, path, body, headers)."""
    keys = room.opened.tokens
    own = f"127.0.0.1:{room.opened.port}"
    wrong = rng.choice(("", "x", keys.instructor[:-1], keys.instructor.swapcase(), "\u00e9" * 9, "a" * 400))
    host = rng.choice(
        (own, own, "evil.example", f"evil.example:{room.opened.port}", "127.0.0.1.evil.example", "fe80::1%x")
    )
    cookie = f"classroom-{room.opened.port}={rng.choice((wrong, keys.learners))}"
    if host != own and rng.random() < 0.5:
        cookie = f"classroom-{room.opened.port}={keys.instructor}"  # a browser that is fooled sends the right one
    path = rng.choice(("/", f"/?token={wrong[:30].encode('ascii', 'ignore').decode()}", f"/?token={keys.learners}",
                       "/classroom.csv", "/live", "/report", "/static/../server.py", "/static/%2e%2e/state_file.py",
                       "/static//etc/passwd", "/../../etc/passwd", "/join/aaaa-aaaa", "/hello/xyz"))  # fmt: skip
    sent = [("Host", host), ("Cookie", cookie.encode("utf-8").decode("latin-1"))]
    body = b""
    method = rng.choice(("GET", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"))
    if path == "/report":
        method, body = "POST", json.dumps({"learner": "ab" * 16, "nickname": "x", "events": [EVENT]}).encode()
        token = keys.learners if host != own else rng.choice((wrong, keys.instructor, keys.learners[:-1]))
        sent.append(("Authorization", f"Bearer {token}".encode().decode("latin-1")))
        sent.append(("Content-Type", rng.choice(("application/json", "text/plain"))))
    if path == "/live":
        sent += [("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13")]
        sent.append(("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="))
    if rng.random() < 0.4:
        sent.append(("Origin", rng.choice(("http://evil.example", "null", "file://", f"https://{own}"))))
    return method, path, body, sent


def test_without_the_key_nothing_is_seen_and_nothing_written(fault, room):
    rng = random.Random(18)
    keys = room.opened.tokens
    before, answered = room.room.checks, 0
    with fault("pages asked without a key", goal=GOAL) as row:
        for number in range(many(120, GOAL)):
            method, path, body, headers = stranger(rng, room)
            with row.case(f"{number}: {method} {path} {headers}"):
                status, sent, text = ask(room, method, path, body, headers)
                answered += status != HUNG_UP
                assert status in (HUNG_UP, 400, 403, 404, 405), f"answered {status}"
                assert "Set-Cookie" not in sent and "Access-Control-Allow-Origin" not in sent
                for secret in (keys.instructor, keys.learners, "import ", "root:"):
                    assert secret.encode() not in text, "something is given away"
    assert room.room.checks == before and room.room.learners == {}
    assert answered > row.cases / 2


def test_what_learners_send_stays_text(fault):
    rng = random.Random(18)
    with open_room() as room, fault("scripts as nicknames and verdicts", goal=GOAL // 10) as row:
        keys, own = room.opened.tokens, f"127.0.0.1:{room.opened.port}"
        for number in range(many(25, GOAL // 10)):
            evil = rng.choice(EVIL) + "".join(rng.choice(string.printable) for _ in range(rng.randrange(20)))
            said = {
                "nickname": evil,
                "events": [EVENT | {rng.choice(("mistake", "exercise", "chapter", "state")): evil}],
            }
            with row.case(f"{number}: {evil!r}"):
                body = json.dumps(said | {"learner": f"{number % 250:032x}"}).encode()
                headers = [
                    ("Host", own),
                    ("Authorization", f"Bearer {keys.learners}"),
                    ("Content-Type", "application/json"),
                ]
                status, _, _ = ask(room, "POST", "/report", body, headers)
                assert status in (200, 400)
                for one in room.room.learners.values():
                    assert len(one.nickname) <= 40 and not re.search(
                        r"[\x00-\x1f\u202a-\u202e\u2066-\u2069]", one.nickname
                    )
                    assert all(cell.mistake in (None, "never_zeroed") for cell in one.cells.values())
                for line in export.table(room.room).splitlines()[1:]:
                    assert not re.search(r'(?:^|,)"?[=+@\t]', line), line
            time.sleep(0)  # the server's thread has a turn


def test_every_page_forbids_foreign_scripts_and_frames(room):
    keys, own = room.opened.tokens, f"127.0.0.1:{room.opened.port}"
    cookie = ("Cookie", f"classroom-{room.opened.port}={keys.instructor}")
    for path in ("/", f"/join/{keys.learners}", "/classroom.csv", "/nothing"):
        _, headers, text = ask(room, "GET", path, headers=[("Host", own), cookie])
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff" and headers["Cache-Control"] == "no-store"
        assert not re.search(rb"<script(?! type=\"module\" src=\"/static/)|\son\w+=", text), path


def test_no_host_puts_its_words_into_a_header():
    known = tokens.Tokens("abcd-efgh-jkmn-pqrs", names=tokens.own_names("127.0.0.1"))
    for host in ("fe80::1%;script-src *", "[fe80::1%25x]", "127.0.0.1;", "127.0.0.1 ", "localhost\r\nX: y"):
        assert not known.knows(host), host
    assert known.knows("[fe80::1]") and known.knows("10.0.0.9") and known.knows("LOCALHOST")


def test_the_page_listens_where_it_was_told_and_the_usual_place_is_loopback(room):
    assert {is_loopback(one.getsockname()[0]) for one in room.opened.sockets} == {True}
    source = (PROJECT / "lessonkit" / "teach" / "commands" / "classroom.py").read_text(encoding="utf-8")
    assert '"--address", default="127.0.0.1"' in source and handlers.JOIN_LINE.startswith("from lessonkit")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), []),
        (("--ServerApp.ip=127.0.0.1",), []),
        (("--ip", "localhost", "--port=9999"), []),
        (("--ServerApp.ip=0.0.0.0",), ["listens at 0.0.0.0"]),
        (("--ip", "10.0.0.9"), ["listens at 10.0.0.9"]),
        (("--ServerApp.ip=",), ["listens at every address"]),
        (("--ip=::",), ["listens at ::"]),
        (("--IdentityProvider.token=",), ["asks for no token"]),
        (("--ServerApp.token=''", "--ip=*"), ["listens at *", "asks for no token"]),
    ],
)
def test_a_lab_that_is_opened_wider_is_said(arguments, said):
    found = opened_wider(arguments)
    assert len(found) == len(said) and all(words in one for words, one in zip(said, found, strict=True))


# Where a program of the course's names an address that is not this machine's own, and why.
ELSEWHERE = {
    "lessonkit/teach/room/settled.py": "its `::` stands between a file and the second chapter in it",
    "lessonkit/teach/classroom/server.py": "knows by it that --address means every address",
    "tools/testing/chosen.py": "its `::` stands in the names of pytest's tests",
}


def test_no_program_names_an_address_beyond_loopback_to_listen_at():
    seen = set()
    for name, path in risky.PROGRAMS.items():
        text = path.read_text(encoding="utf-8")
        if "0.0.0.0" in text or re.search(r"['\"]::['\"]", text):
            seen.add(name)
        if "bind((" in text or "create_server((" in text or "HTTPServer((" in text:
            for node in ast.walk(ast.parse(text)):
                match node:
                    case ast.Call(
                        func=ast.Attribute(attr="bind" | "create_server") | ast.Name(id="HTTPServer"),
                        args=[ast.Tuple(elts=[ast.Constant(value=address), *_]), *_],
                    ):
                        assert is_loopback(address), f"{name}, line {node.lineno}: {address!r}"
    assert seen == set(ELSEWHERE), "an address beyond loopback that is not listed, or no longer there"
    for path in (PROJECT / "notebooks").glob("*.ipynb"):
        text = path.read_text(encoding="utf-8")
        assert "0.0.0.0" not in text and ("tensorboard.main" not in text or '--host\\", \\"127.0.0.1' in text), (
            path.name
        )


def listening(pid):
    """The addresses at which a process and its descendants listen."""
    found = set()
    with contextlib.suppress(psutil.Error):
        for one in (psutil.Process(pid), *psutil.Process(pid).children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                found |= {c.laddr for c in one.net_connections("inet") if c.status == psutil.CONN_LISTEN}
    return found


@pytest.mark.skipif(not many(0, 1), reason="starts JupyterLab: make soak")
def test_jupyterlab_listens_on_loopback_and_asks_for_its_token(fault, tmp_path):
    folder = toys.write(tmp_path / "notebooks", _00_a=toys.notebook(toys.code("1")))
    assert folder.is_dir()
    words = ("lab", "--no-browser", "--", "--allow-root")  # which root has to say, and means nothing to others
    process = toys.course(*words, COURSE_WORK=str(tmp_path / "work"), JUPYTER_CONFIG_DIR=str(tmp_path))
    try:
        said = ""
        while not (found := re.search(r"http://127\.0\.0\.1:(\d+)/\S*token=(\w+)", said)):
            line = process.stdout.readline()
            assert line, said
            said += line
        port, token = int(found[1]), found[2]
        with fault("JupyterLab asked without a key", goal=5) as row:
            with row.case("loopback"):
                until = time.monotonic() + 60  # it says its address before it listens there
                while not (there := listening(process.pid)) and time.monotonic() < until:
                    time.sleep(0.2)
                assert {is_loopback(one.ip) for one in there} == {True}
            for path, headers, status in (
                ("/api/contents", {}, 403),
                ("/api/contents?token=x", {}, 403),
                ("/api/contents", {"Authorization": f"token {token}", "Host": "evil.example"}, 403),
                ("/api/contents", {"Authorization": f"token {token}"}, 200),
            ):
                with row.case(f"{path} {sorted(headers)}"):
                    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
                    connection.request("GET", path, headers=headers)
                    assert connection.getresponse().status == status
                    connection.close()
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=300)
        process.stdout.close()


@pytest.mark.skipif(not many(0, 1), reason="starts ranks, which import torch: make soak")
def test_ranks_meet_without_a_port_that_others_reach(tmp_path):
    if sys.platform != "linux":
        pytest.skip("asks Linux who listens")
    from course_utils.launch import run_ranks

    for found in run_ranks(addresses, world_size=2, timeout=300):
        assert all(is_loopback(one) for one in found), found


def addresses(rank):
    """Where this rank listens while it is in its group."""
    import psutil
    import torch
    import torch.distributed as dist

    dist.all_reduce(torch.ones(1))
    return [one.laddr.ip for one in psutil.Process().net_connections("inet") if one.status == "LISTEN"]
