"""Secrets planted in the environment, names and homes of people: in no report that the course writes."""

import json
import os
import random
import string
import subprocess
import sys

import nbformat
import pytest
import toys
from classroom_here import QUESTIONS
from faults import many

from course_utils import PROJECT
from course_utils.data import download, settings
from course_utils.data.errors import DataError
from lessonkit.doctor.mail import known, redacted
from lessonkit.notebook.catalog import find
from lessonkit.reporting import membership
from lessonkit.runner.report import Report
from lessonkit.runner.result import ChapterResult
from lessonkit.system import redact
from lessonkit.system.atomic import atomic_write
from lessonkit.teach.classroom import export, state_file
from lessonkit.teach.classroom.report_parser import parse
from lessonkit.teach.classroom.state import ClassroomState
from lessonkit.teach.room.gradebook import Gradebook
from lessonkit.teach.room.rows import Graded, Row
from lessonkit.teach.room.sandbox.isolation import environment

GOAL = 3000
LETTERS = string.ascii_letters + string.digits
VARIABLES = {
    "HF_TOKEN": "{0}",
    "JUPYTER_TOKEN": "{0}",
    "GITHUB_TOKEN": "{0}",
    "MY_API_KEY": "{0}",
    "AWS_SECRET_ACCESS_KEY": "{0}",
    "DB_PASSWORD": "{0}",
    "PGPASSWORD": "{0}",
    "https_proxy": "http://ana:{0}@proxy.example:3128",
    "HTTP_PROXY": "http://{0}@proxy.example:3128/",
    "COURSE_MIRROR": "http://teacher:{0}@10.0.0.9:8000/data",
    "PIP_INDEX_URL": "https://ana:{0}@index.example/simple",
    "UV_INDEX": "https://{0}:x-oauth@index.example/simple",
}
QUOTED = (
    "{0}",
    "could not log in with {0}.",
    "KeyError: '{0}'",
    "Cannot connect to {1}",
    "ProxyError('Unable to connect to proxy', {1})",
    "header: Bearer {0}",
    "https://huggingface.co/api?token={0}&x=1",
    "os.environ = {{'A': '{0}', 'B': \"{1}\"}}",
    "a line\nand {0}\nin another",
    "({0})[{0}]<{0}>",
)


def planted(rng):
    """A secret, and the variable and value that hold it."""
    secret = "".join(rng.choice(LETTERS) for _ in range(rng.randrange(8, 40)))
    name = rng.choice(sorted(VARIABLES))
    return secret, name, VARIABLES[name].format(secret)


def test_what_is_kept_and_sent_holds_no_secret(fault, monkeypatch):
    rng = random.Random(18)
    with fault("secrets planted, in sentences", goal=GOAL) as row:
        for number in range(many(150, GOAL)):
            secret, name, value = planted(rng)
            with monkeypatch.context() as patched, row.case(f"{number}, {name}"):
                patched.setenv(name, value)
                text = rng.choice(QUOTED).format(secret, value)
                for said in (redact.without_secrets(text), redact.discreet(text), redacted(text, known())):
                    assert secret not in said, f"{text!r} is shown as {said!r}"


@pytest.mark.parametrize(
    "text",
    [
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (64x784 and 10x10)",
        "tokens = tokens[:, -context:]  # (N, T)",
        "TOKENIZERS_PARALLELISM=false",
        "cell 7: x[1:2] @ y",
        "see https://pytorch.org/docs/stable/notes/serialization.html#why",
    ],
)
def test_what_helps_is_left_as_it_is(text, monkeypatch):
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "false")
    monkeypatch.setenv("SOME_TOKEN", "")
    assert redact.discreet(text) == text


def test_folders_and_names_of_people_are_taken_out(monkeypatch, tmp_path):
    home = tmp_path / "hannaweiss"
    monkeypatch.setattr(redact, "user", lambda: "hweiss")
    monkeypatch.setattr("socket.gethostname", lambda: "weiss-thinkpad.local")
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    text = f"File {home}/x.py, {PROJECT}/lessonkit/cli.py, {sys.prefix}/lib of hweiss@weiss-thinkpad.local"
    assert redact.discreet(text) == "File ~/x.py, <course>/lessonkit/cli.py, <python>/lib of <name>@<name>"


def test_a_mirror_with_a_log_in_is_named_without_it(monkeypatch):
    monkeypatch.setenv("COURSE_MIRROR", "ftp://teacher:geheim42@10.0.0.9/data")
    with pytest.raises(DataError) as error:
        settings.course_mirror()
    assert "geheim42" not in str(error.value) and "10.0.0.9" in str(error.value)
    monkeypatch.setenv("COURSE_MIRROR", "teacher:geheim42@10.0.0.9")
    with pytest.raises(DataError) as error:
        settings.course_mirror()
    assert "geheim42" not in str(error.value)
    prefix = "http://teacher:geheim42@127.0.0.1:9/MNIST/raw/"
    monkeypatch.setenv("COURSE_MIRROR", prefix)
    served, silent = download.answering((prefix,), "x.gz", budget=60)
    error = download.no_answer(silent, budget=60)
    assert served == [] and "127.0.0.1:9" in str(error) and "geheim42" not in str(error)


SECRET = "S3cretOfThePlanter"
PLANT = {name: value.format(SECRET) for name, value in VARIABLES.items()}


def no_secret_in(text, *more):
    for secret in (SECRET, *more):
        assert secret not in text, f"…{text[max(0, text.find(secret) - 80) :][:200]}…"


def test_a_runs_report_holds_none(monkeypatch, tmp_path):
    home = tmp_path / "hannaweiss"
    for name, value in (PLANT | {"HOME": str(home), "USERPROFILE": str(home)}).items():
        monkeypatch.setenv(name, value)
    error = f"OSError: {PLANT['https_proxy']} refused {SECRET}, see {home / 'notes.txt'}"
    cell = toys.code("fetch()")
    cell.outputs = [
        nbformat.v4.new_output("error", ename="OSError", evalue=error, traceback=[f"File {home}/x.py", error])
    ]
    cell.execution_count = 1
    folder = toys.write(tmp_path / "notebooks", _00_a=toys.notebook(toys.code("1")))
    for name in ("report.data_used", "resume.versions"):  # which import torch
        monkeypatch.setattr(f"lessonkit.runner.{name}", lambda *_: {})
    report = Report(
        tmp_path / "out",
        find(folder),
        answers="untouched",
        extent="whole",
        profile="quick",
        device="cpu",
        machine={"cores": 2},
    )
    report.out.mkdir()
    nbformat.write(toys.notebook(cell), report.out / "00_a.ipynb")
    notes = [f"a warning: {SECRET}"]
    report.add(
        ChapterResult(name="00_a", status="failed", error=error, slowest_cell=f"cell 1: {SECRET}", notes=notes)
    )
    for name in ("report.json", "report.html"):
        text = (report.out / name).read_text(encoding="utf-8")
        no_secret_in(text, "hannaweiss")
        assert "OSError" in text and "notes.txt" in text


def test_grades_hold_none_of_the_graders(monkeypatch, tmp_path):
    for name, value in PLANT.items():
        monkeypatch.setenv(name, value)
    no_secret_in(json.dumps(environment("/room/course", "/room/home")))
    names = set(environment("/room/course", "/room/home"))
    assert not names & {*PLANT, "SSH_AUTH_SOCK", "COURSE_DATA"}, "a submission sees none of the grader's variables"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no permissions of this kind")
def test_what_holds_a_secret_is_its_owners_alone(tmp_path):
    before = os.umask(0o022)
    try:
        with atomic_write(tmp_path / "plain") as file:
            file.write(b"x")
        state_file.save(tmp_path / "room.json", ClassroomState(QUESTIONS), token="abcd-efgh-jkmn-pqrs", port=1)
        (tmp_path / "room.json").chmod(0o644)  # as an earlier version of the course left it
        state_file.save(tmp_path / "room.json", ClassroomState(QUESTIONS), token="abcd-efgh-jkmn-pqrs", port=1)
        membership.keep(
            tmp_path, membership.member("http://192.168.1.5:8765/join/abcd-efgh-jkmn-pqrs", folder=tmp_path)
        )
        book = Gradebook(tmp_path, {"secret": 1, "isolation": "x", "promises": "", "limits": {}, "judged_by": ""})
        book.head["versions"] = {}
        row = Row(exercise="ink", state="passed", message="")
        book.add(Graded(learner="ana", file="ana/00.ipynb", sha256="", chapter="00_start_here", rows=(row,)))
    finally:
        os.umask(before)
    assert (tmp_path / "plain").stat().st_mode & 0o777 == 0o644
    for name in ("room.json", membership.FILE, "grades.json", "grades.csv", "grades.html"):
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600, name


def test_a_classrooms_table_and_file_hold_what_the_page_shows(monkeypatch, tmp_path):
    for name, value in PLANT.items():
        monkeypatch.setenv(name, value)
    room = ClassroomState(QUESTIONS)
    event = {"chapter": "training", "exercise": "train_step", "state": "known mistake", "mistake": SECRET}
    said = {
        "learner": "ab" * 16,
        "nickname": "Ada",
        "events": [event, event | {"exercise": SECRET}],
        "code": SECRET,
    }
    room.take(parse(json.dumps(said).encode()))
    state_file.save(tmp_path / "room.json", room, token="abcd-efgh-jkmn-pqrs", port=1)
    no_secret_in(export.table(room) + (tmp_path / "room.json").read_text() + json.dumps(room.everything()))


def test_the_commands_print_none(tmp_path):
    home = tmp_path / "hannaweiss"
    home.mkdir()
    proxy = PLANT["https_proxy"]
    (home / "trace.txt").write_text(
        f'Traceback (most recent call last):\n  File "{home}/train.py", line 3, in <module>\n'
        f'    model(x, "{SECRET}")\n'
        f"RuntimeError: mat1 and mat2 shapes cannot be multiplied (64x784 and 10x10)\n{proxy}\n",
        encoding="utf-8",
    )
    env = os.environ | PLANT | {"HOME": str(home), "USERPROFILE": str(home), "COURSE_WORK": str(home / "work")}
    for words in (["diagnose", str(home / "trace.txt")], ["progress"], ["join", f"http://x/{SECRET}?a"]):
        line = [sys.executable, "-m", "lessonkit.cli", *words]
        ran = subprocess.run(line, env=env, capture_output=True, text=True, encoding="utf-8", timeout=300, cwd=home)
        printed = ran.stdout + ran.stderr
        assert "Traceback (most recent call last):\n  File" not in printed.replace(str(home), ""), printed
        if words[0] == "diagnose":
            no_secret_in(printed, "hannaweiss")
            assert "line 3" in printed, printed
        elif words[0] == "progress":
            no_secret_in(printed)


@pytest.mark.skipif(not many(0, 1), reason="some minutes: make soak")
def test_every_report_of_a_whole_run_holds_none(fault, tmp_path):
    home = tmp_path / "hannaweiss"
    home.mkdir()
    env = os.environ | PLANT | {"HOME": str(home), "USERPROFILE": str(home), "COURSE_OFFLINE": "1"}
    folder = toys.write(
        tmp_path / "notebooks",
        _00_a=toys.notebook(
            toys.code("import os\nraise OSError(os.environ['HTTP_PROXY'], os.path.expanduser('~'))")
        ),
    )
    commands = {
        "doctor --mail": ["doctor", "--mail"],
        "doctor": ["doctor"],
        "run": ["run", "--notebooks", str(folder), "--out", str(tmp_path / "out")],
        "data": ["data", "list"],
    }
    with fault("secrets planted, every command", goal=4) as row:
        for name, words in commands.items():
            with row.case(name):
                line = [sys.executable, "-m", "lessonkit.cli", *words]
                ran = subprocess.run(line, env=env, capture_output=True, text=True, encoding="utf-8", timeout=600)
                reports = [path for path in tmp_path.glob("out/report.*")] if name == "run" else []
                assert (len(reports) == 2) == (name == "run"), ran.stderr
                text = "".join(path.read_text(encoding="utf-8") for path in reports) or ran.stdout + ran.stderr
                no_secret_in(text, *(["hannaweiss"] if name in ("doctor --mail", "run") else []))
