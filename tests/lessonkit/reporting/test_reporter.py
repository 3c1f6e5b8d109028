"""A kernel's side: a check never waits for the page and never fails by it, wherever the page is."""

import contextlib
import http.server
import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import course_utils.exercises.tensors as ex
from lessonkit.checks import listeners
from lessonkit.reporting import listener, membership, reporter
from lessonkit.reporting.listener import ClassroomListener
from lessonkit.reporting.membership import FILE, keep, member

NOBODY = "http://127.0.0.1:{port}/join/abcd-efgh-jkmn-pqrs"


@pytest.fixture(autouse=True)
def outside_ci(monkeypatch):
    monkeypatch.delenv("CI", raising=False)


@pytest.fixture
def work(tmp_path, monkeypatch):
    """A work folder that this process's listeners tell of."""
    monkeypatch.setattr(listener, "started_in", lambda folder: folder == tmp_path)
    return tmp_path


@pytest.fixture
def told(work, monkeypatch):
    """The listener of every check in this test."""
    one = ClassroomListener(lambda: work)
    monkeypatch.setattr(listeners, "registered", lambda: (one,))
    yield one
    if one._reporter:
        one._reporter.stop()


def joined(work, address, name="Ada"):
    keep(work, member(address, name, folder=work))


def wrong(*arguments):
    return "nothing of the kind"


@contextlib.contextmanager
def page(answer):
    """A server that answers every request with `answer(handler)`; yields the address to join."""

    class Handler(http.server.BaseHTTPRequestHandler):
        do_GET = do_POST = answer

        def log_message(self, *words):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield NOBODY.format(port=server.server_port)
        finally:
            server.shutdown()
            thread.join()


def test_checks_and_questions_are_told_and_nothing_else(classroom, work, told):
    joined(work, classroom.opened.join_address)
    ex.survives.check(None)
    ex.survives.hint()
    ex.survives.solution()
    verdict = ex.survives.check(ex.survives.mistakes[0])
    assert verdict.state == "known mistake"
    assert told.finish(60)
    [one] = classroom.room.learners.values()
    [cell] = one.cells.values()
    assert (one.nickname, cell.checks, cell.tries) == ("Ada", 2, 1)
    assert (cell.state, cell.mistake) == ("known mistake", ex.survives.mistakes[0].__name__)


def test_what_goes_over_the_wire_is_what_was_promised(work, told):
    sent = []

    def answer(handler):
        sent.append(handler.rfile.read(int(handler.headers.get("Content-Length", 0))))
        handler.send_response(200)
        handler.end_headers()
        nonce = handler.path.rpartition("/")[2]
        from lessonkit.reporting.client import proof

        handler.wfile.write(b'{"proof": "%s"}' % proof("abcd-efgh-jkmn-pqrs", nonce).encode())

    with page(answer) as address:
        joined(work, address)
        ex.survives.check(wrong)
        assert told.finish(60)
    me = membership.read(work).learner
    event = '{"chapter": "tensors", "exercise": "survives", "state": "wrong", "mistake": null}'
    assert sent == [b"", f'{{"learner": "{me}", "nickname": "Ada", "events": [{event}]}}'.encode()]


def test_whoever_does_not_know_the_room_s_token_is_told_nothing(work, told, capsys):
    sent = []

    def answer(handler):
        sent.append(handler.command)
        assert "Authorization" not in handler.headers
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(b'{"proof": "00"}')

    with page(answer) as address:
        joined(work, address)
        ex.survives.check(wrong)
        assert told.finish(60)
        ex.survives.check(wrong)
        assert told.finish(60)
    assert sent == ["GET"]  # and not once more within the pause
    assert "another room, or another program, answers there" in capsys.readouterr().err


@pytest.mark.parametrize("body", [b"<html>", b"[]", b"x" * 100_000])
def test_what_is_no_classroom_is_said_once(work, told, capsys, body):
    def answer(handler):
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(body)

    with page(answer) as address:
        joined(work, address)
        for _ in range(3):
            assert ex.survives.check(wrong).state == "wrong"
            assert told.finish(60)
    [line] = capsys.readouterr().err.splitlines()
    assert "what answers there is no classroom" in line and "`course leave`" in line


def test_a_page_that_is_away_is_said_once_and_asked_again_later(classroom, work, told, capsys, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as one:
        port = one.getsockname()[1]
    monkeypatch.setattr(reporter, "PAUSE", 0.3)
    joined(work, NOBODY.format(port=port))
    for _ in range(3):
        assert ex.survives.check(wrong).state == "wrong"
        assert told.finish(60)
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(f"The classroom's page at http://127.0.0.1:{port} is not told of your checks (")
    # Under the same membership a page comes up there: as when the instructor's laptop wakes.
    told._reporter.membership = member(classroom.opened.join_address, "Ada", folder=work)
    until = time.monotonic() + 60
    while not classroom.room.checks and time.monotonic() < until:
        ex.survives.check(wrong)
        told.finish(60)
    assert classroom.room.checks >= 1 and told._reporter.trouble == ""


def test_a_page_that_hangs_costs_a_check_nothing(work, told):
    with socket.create_server(("127.0.0.1", 0)) as hanging:
        joined(work, NOBODY.format(port=hanging.getsockname()[1]))
        verdict = ex.survives.check(wrong)
        seconds = []
        for _ in range(1_000):
            before = time.perf_counter()
            told(ex.survives, verdict, 0.01, "check")
            seconds.append(time.perf_counter() - before)
        assert sum(seconds) < 2.0 and sorted(seconds)[500] < 0.001
        assert not told.finish(0.05)  # it still waits there; the kernel need not
        assert len(told._reporter._queue) <= reporter.MOST


def test_without_joining_and_in_ci_nothing_is_told(classroom, work, told, monkeypatch):
    ex.survives.check(wrong)
    joined(work, classroom.opened.join_address)
    monkeypatch.setenv("CI", "true")
    ex.survives.check(wrong)
    assert told._reporter is None
    assert classroom.room.learners == {}


def test_a_process_started_elsewhere_tells_nothing(classroom, work, told, monkeypatch):
    monkeypatch.setattr(listener, "started_in", lambda folder: False)
    joined(work, classroom.opened.join_address)
    ex.survives.check(wrong)
    assert told._reporter is None


def test_joining_and_leaving_count_at_the_next_check(classroom, work, told):
    ex.survives.check(wrong)
    joined(work, classroom.opened.join_address)
    ex.survives.check(wrong)
    assert told.finish(60) and classroom.room.checks == 1
    membership.forget(work)
    ex.survives.check(wrong)
    assert told._reporter is None and classroom.room.checks == 1


def test_a_damaged_membership_is_said_once_and_the_verdict_comes(work, told, capsys):
    (work / FILE).parent.mkdir()
    (work / FILE).write_text("{", encoding="utf-8")
    for _ in range(2):
        assert ex.survives.check(wrong).state == "wrong"
    [line] = capsys.readouterr().err.splitlines()
    assert "is damaged; `course leave` removes it" in line


def test_whatever_goes_wrong_the_verdict_comes(work, told, capsys, monkeypatch):
    monkeypatch.setattr(listener, "as_entry", lambda *given: 1 / 0)
    joined(work, NOBODY.format(port=9))
    assert ex.survives.check(wrong).state == "wrong"
    assert "ZeroDivisionError" in capsys.readouterr().err


KERNEL = """
import sys
import time
import course_utils.exercises.tensors as ex

print(ex.survives.check(None).state)
print(time.time())
"""


@pytest.mark.parametrize("where", ["there", "hanging"])
def test_a_kernel_tells_by_itself_and_ends_at_once(classroom, tmp_path, where):
    """The whole way, in a process of its own: an import, a check, its end."""
    with socket.create_server(("127.0.0.1", 0)) as hanging:
        away = NOBODY.format(port=hanging.getsockname()[1])
        joined(tmp_path, classroom.opened.join_address if where == "there" else away)
        env = {name: value for name, value in os.environ.items() if name not in ("CI", "COURSE_PROGRESS")}
        ran = subprocess.run(
            [sys.executable, "-c", KERNEL],
            cwd=tmp_path,
            env=env | {"COURSE_WORK": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=300,
        )
        ended = time.time()
    state, at = ran.stdout.splitlines()
    assert (state, ran.stderr) == ("not attempted", "")
    assert ended - float(at) < 20  # and not after the time that a hanging page takes, times its tries
    if where == "there":
        assert classroom.room.checks == 1


def test_a_fork_tells_nothing(work, monkeypatch):
    one = reporter.Reporter(member(NOBODY.format(port=9), "", folder=Path()))
    monkeypatch.setattr(os, "getpid", lambda: -1)
    one.put({})
    assert one._thread is None and not one._queue
