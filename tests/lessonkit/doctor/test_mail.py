"""What a learner sends back before the course: one verdict, true lines, and nothing of the person."""

import json
import sys
import threading
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import command_line
import pytest
from cut_off import cut_off
from test_findings import HEALTHY

from course_utils import datasets
from lessonkit.doctor import facts, mail
from lessonkit.doctor.mail import edition, known, letter, redacted
from lessonkit.notebook.catalog import Chapter, find, minutes, notebook_of, select
from lessonkit.system.course import CourseError
from lessonkit.system.finding import Finding, Found

HALF_A_DAY = select(find(), ["00", "01", "02", "05"])
CORES = sum(minutes(notebook_of(one).cells[0].source)[0] for one in HALF_A_DAY)
COURSE = Found(
    lines={"python": [("torch", "2.14.1")], "disk": [("gpu", "none")]},
    sources={"mnist": "full"},
    stops_nobody=("accelerator",),
)
LAPTOP = replace(HEALTHY, processor="AMD64", memory_total=8 << 30, memory_free=4 << 30, course=COURSE)
NAMES = {"/home/ana núñez": "~", "ana núñez": "<name>", "ana": "<name>", "lab-pc-7": "<name>"}


def lines(*, network="", chapters=HALF_A_DAY, **changed):
    """The answer of a laptop with these facts changed, as {first word: text}."""
    text, ready = letter(replace(LAPTOP, **changed), chapters, network=network, names=NAMES)
    found = {}
    for line in text.splitlines():
        found.setdefault(line[:10].strip(), []).append(line[10:])
    return {name: " | ".join(several) for name, several in found.items()} | {"ready": ready}


def test_a_healthy_machine_is_ready_and_says_what_is_asked():
    said = lines()
    assert said["ready"] and said["verdict"] == "ready"
    assert said["python"] == "3.12.4" and said["torch"] == "2.14.1"
    assert list(said)[:8] == ["verdict", "system", "python", "torch", "course", "memory", "disk", "gpu"]
    assert said["memory"] == "4.0 of 8.0 GiB free" and said["disk"] == "100.0 GiB free"
    assert said["network"] == "yes"
    assert said["data"] == "mnist full" and "look at" not in said and "to do" not in said
    assert said["minutes"].endswith(f"; {CORES} to work the cores through")
    assert "(00 <1, 01 <1, 02 <1, 05 " in said["minutes"]
    assert f"chapters 00 01 02 05 as {edition(HALF_A_DAY)}" in said["course"]


@pytest.mark.parametrize(
    ("changed", "because"),
    [
        ({"python": (3, 10, 1)}, "Python: 3.10.1; the course runs on 3.11 to 3.13"),
        ({"missing": ("timm",)}, "packages: missing: timm"),
        ({"disk_free": 1 << 20}, "disk: 1 MiB free"),
        (
            {"loopback_error": "refused", "memory_free": 1 << 20},
            "memory: 1 MiB free; ports: no server on 127.0.0.1",
        ),
    ],
)
def test_what_stops_a_chapter_stands_in_the_verdict_with_its_fix_below(changed, because):
    said = lines(**changed)
    assert not said["ready"] and said["verdict"].startswith(f"not ready because {because}")
    assert said["to do"]


def test_a_warning_does_not_stop_anybody_and_is_named():
    said = lines(memory_free=2 << 30, network="COURSE_OFFLINE=1 forbids it")
    assert said["ready"] and said["look at"] == "memory: 2.0 GiB free"
    assert said["network"] == "no: COURSE_OFFLINE=1 forbids it"


def test_a_problem_that_the_course_says_stops_nobody_is_named_and_stops_nobody():
    course = replace(COURSE, findings={"packages": [Finding("accelerator", "problem", "the driver is old")]})
    assert not lines(course=replace(course, stops_nobody=()))["ready"]
    said = lines(course=course)
    assert said["ready"] and said["look at"] == "accelerator: the driver is old"


def test_only_the_data_of_the_chosen_chapters_count():
    sets = [Finding("data: mnist", "ok", "the sample"), Finding("data: hymenoptera", "problem", "cut short")]
    course = Found(findings={"proxy": sets}, sources={"mnist": "sample", "hymenoptera": "damaged"})
    assert lines(course=course)["ready"] and lines(course=course)["data"] == "mnist sample"
    assert lines(course=Found())["data"] == "mnist not asked"
    seventh = lines(course=course, chapters=select(find(), ["07"]))
    assert not seventh["ready"] and "hymenoptera damaged" in seventh["data"]


def test_a_course_that_has_no_hooks_has_an_answer_all_the_same(monkeypatch):
    monkeypatch.setattr(facts, "hook", {}.get)
    said = lines(course=Found(), work_seconds=None, network=mail.network(), chapters=[])
    assert said["ready"] and set(said) == {
        *("ready", "verdict", "system", "python", "course", "memory", "disk"),
        "minutes",
    }


SECRETS = [
    ("cannot write to /home/ana núñez/course/results", "núñez"),
    ("C:\\Users\\Ana Núñez\\course: Access is denied", "sers"),
    ("open('/mnt/My Files/private/lib.so') failed", "private"),
    ("no such file: \\\\server\\share\\marks.txt", "share"),
    ("proxy http://ana:geheim@proxy.uni.example:3128/x?y=1 refused", "geheim"),
    ("COURSE_MIRROR=ftp://10.1.2.3/data is no address", "10.1"),
    ("no route to 192.168.4.17", "192.168"),
    ("no route to fe80::a1b2:17%eth0 or 2001:db8:0:1:1:1:1:1", "db8"),
    ("login of ana.nunez@uni.example failed", "nunez"),
    ("HF_TOKEN=abc was refused", "abc"),
    ("asked with hf_AbCdEfGhIjKlMnOp12345", "AbCd"),
    ("cannot reach LAB-PC-7.uni.example", "LAB"),
]


@pytest.mark.parametrize(("text", "secret"), SECRETS, ids=[secret for _, secret in SECRETS])
def test_a_secret_does_not_come_through(text, secret):
    assert secret in text and secret not in redacted(text, NAMES)


@pytest.mark.parametrize(
    "text",
    [
        "cannot write to results (Permission denied), data/cache (Read-only file system)",
        "2.14.1+cu130, torchvision 0.29.1+cu130; importing it: operator torchvision::nms does not exist",
        "no server on 127.0.0.1: [Errno 99] Cannot assign requested address",
        "banana",
        "c10::Error: bad allocation",
    ],
)
def test_what_helps_is_kept(text):
    assert redacted(text, NAMES) == text


def test_this_machine_s_own_names_are_known_and_nothing_of_them_is_in_its_answer(monkeypatch, tmp_path):
    home = tmp_path / "Hanna Weiß"
    home.mkdir()
    for name, value in {"HOME": home, "USERPROFILE": home, "USER": "hweiss", "LOGNAME": "hweiss"}.items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.setenv("COURSE_DATA", str(home / "gone"))
    monkeypatch.setattr("socket.gethostname", lambda: "weiss-thinkpad.local")
    error = f"{home / 'x.so'}: hweiss@weiss-thinkpad may not read {home} or {sys.prefix}/lib, asked HWEISS"
    course = Found(findings={"packages": [Finding("torch and torchvision", "problem", error)]})
    broken = replace(LAPTOP, course=course, loopback_error=error, folders={"build": error})
    text, ready = letter(broken, HALF_A_DAY, network=f"no route from weiss-thinkpad.local: {home}", names=known())
    assert not ready and text.count("not ready because") == 1
    for secret in ("Hanna", "Weiß", "weiss", "WEISS", "thinkpad", str(tmp_path), sys.prefix):
        assert secret not in text, secret


def test_the_edition_goes_by_the_content_not_by_the_line_ends(tmp_path):
    content = {"cells": [{"source": "one"}], "metadata": {}}
    same, other = [], dict(content, cells=[{"source": "two"}])
    for number, text in enumerate((json.dumps(content), json.dumps(content, indent=1).replace("\n", "\r\n"))):
        path = tmp_path / f"{number}_x.ipynb"
        path.write_bytes(text.encode())
        same.append(edition([Chapter(path)]))
    path.write_text(json.dumps(other), encoding="utf-8")
    assert same[0] == same[1] != edition([Chapter(path)])


@pytest.fixture
def alone(monkeypatch, tmp_path):
    """The empty cache of a machine without settings and without a server that answers."""
    return cut_off(monkeypatch, tmp_path)


def test_a_network_is_asked_for_without_fetching_anything(alone, monkeypatch):
    assert mail.network() == "no download server answered within 5 s"  # all mirrors are closed ports here
    monkeypatch.setenv("COURSE_MIRROR", "nonsense")
    assert "COURSE_MIRROR=nonsense is not a web address" in mail.network()
    monkeypatch.setenv("COURSE_OFFLINE", "1")
    assert mail.network() == datasets.why_offline() == "COURSE_OFFLINE=1 forbids it"
    assert not alone.exists()


def test_a_hook_that_cannot_be_imported_is_a_reason_and_no_traceback(monkeypatch):
    def broken(name):
        raise CourseError(f"the hook {name} names course_utils.datasets: libgomp.so.1 is missing")

    monkeypatch.setattr(facts, "hook", broken)
    assert mail.network() == "the hook data names course_utils.datasets: libgomp.so.1 is missing"


def test_a_mirror_in_the_room_is_a_network(alone, monkeypatch, tmp_path):
    (tmp_path / "MNIST" / "raw").mkdir(parents=True)
    (tmp_path / "MNIST" / "raw" / "train-images-idx3-ubyte.gz").write_bytes(b"")
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("COURSE_MIRROR", f"http://127.0.0.1:{server.server_port}")
        assert mail.network() == ""
        server.shutdown()


@pytest.fixture
def course(monkeypatch, capsys):
    """Runs `course doctor` on an imitated laptop: (exit status, standard output, standard error)."""

    def run(*arguments, **changed):
        monkeypatch.setattr(facts, "gather", lambda: replace(LAPTOP, **changed))
        monkeypatch.setattr(mail, "network", lambda: "")
        return command_line.course(monkeypatch, capsys, "doctor", *arguments)

    return run


def test_the_command_prints_what_to_send_and_ends_by_the_verdict(course):
    status, told, aside = course("--mail", "--chapters", "00, training")
    assert status == 0 and told.startswith("verdict   ready\n") and "chapters 00 05 as" in told
    assert "Send back the lines that follow" in aside and len(told.splitlines()) <= 15
    status, told, _ = course("--mail", python=(3, 9, 6))
    assert status == 1 and told.startswith("verdict   not ready because Python: 3.9.6")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--mail", "--chapters", "99"], "no chapter called 99"),
        (["--mail", "--json"], "choose one of them"),
        (["--chapters", "00"], "effect with --mail"),
    ],
)
def test_what_makes_no_sense_is_refused(course, arguments, sentence):
    status, told, error = course(*arguments)
    assert status == 2 and told == "" and sentence in error
