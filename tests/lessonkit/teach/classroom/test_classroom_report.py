"""What comes from outside: reports of any shape, names of any letters, floods."""

import json

import pytest

from lessonkit.reporting.client import is_loopback
from lessonkit.reporting.nickname import LONGEST, cleaned
from lessonkit.teach.classroom.rate_limit import Buckets
from lessonkit.teach.classroom.report_parser import Event, Unfit, parse

LEARNER = "0123456789abcdef" * 2
EVENT = {"chapter": "training", "exercise": "train_step", "state": "wrong", "mistake": None}


def body(**other):
    return json.dumps({"learner": LEARNER, "nickname": "Ada", "events": [EVENT]} | other).encode()


def test_a_report_is_read():
    report = parse(body())
    assert (report.learner, report.nickname) == (LEARNER, "Ada")
    assert report.events == (Event("training", "train_step", "wrong", None),)


@pytest.mark.parametrize("nickname", [None, 7, ["x"], {}, "", "  ", "\u202e\u200b"])
def test_a_nickname_that_is_none_is_none(nickname):
    assert parse(body(nickname=nickname)).nickname == ""


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (b"", "JSON"),
        (b"{", "JSON"),
        (b"\xff\xfe", "JSON"),
        (b"[" * 60_000, "JSON"),
        (b"[]", "an object"),
        (b"null", "an object"),
        (b"{}", "32 hexadecimal"),
        (body(learner="A" * 32), "32 hexadecimal"),
        (body(learner=LEARNER + "\n"), "32 hexadecimal"),
        (body(learner=None), "32 hexadecimal"),
        (body(events={}), "a list"),
        (body(events=[EVENT] * 101), "at most 100"),
        (body(events=["x"]), "an object"),
        (body(events=[EVENT | {"chapter": 5}]), "strings"),
        (body(events=[EVENT | {"exercise": None}]), "strings"),
        (body(events=[EVENT | {"state": "solved"}]), "one of passed"),
        (body(events=[EVENT | {"state": ["passed"]}]), "one of passed"),
        (body(events=[EVENT | {"mistake": {}}]), "string or null"),
    ],
)
def test_what_no_kernel_sends_is_refused_in_words(sent, expected):
    with pytest.raises(Unfit, match=expected):
        parse(sent)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ada", "Ada"),
        ("  Zoë \t de\u00a0 la Cruz\n", "Zoë de la Cruz"),
        ("e\u0301", "é"),
        ("李明 🐜", "李明 🐜"),
        ("<b>&amp;", "<b>&amp;"),  # text stays text; the page shows it as such
        ("a\x00b\x1b[31mc\x7f", "ab[31mc"),
        ("\u202egpj.exe\u2066\u200f", "gpj.exe"),
        ("\ud800x\ue000", "x"),
        ("N" * 10_000, "N" * LONGEST),
        (" " * 10_000 + "x", ""),
    ],
)
def test_a_nickname_holds_letters_only(name, shown):
    assert cleaned(name) == shown


def test_a_bucket_lets_a_burst_through_and_then_a_steady_rate():
    now = [0.0]
    buckets = Buckets(rate=10, burst=20, clients=2, clock=lambda: now[0])
    assert [buckets.take("a") for _ in range(21)] == [True] * 20 + [False]
    assert buckets.take("b", 20) and not buckets.take("b", 1)
    now[0] = 0.5
    assert [buckets.take("a") for _ in range(6)] == [True] * 5 + [False]
    now[0] = 1_000.0
    assert not buckets.take("a", 21)
    assert buckets.take("c") and len(buckets._filled) == 2


def test_which_addresses_are_this_machine_s_own():
    assert all(map(is_loopback, ("127.0.0.1", "127.8.8.8", "localhost", "::1")))
    assert not any(map(is_loopback, ("0.0.0.0", "192.168.1.5", "::", "127.evil.example")))
