"""The tool for other versions: which environment, what it keeps, and the table in docs/status.md."""

import json
import subprocess
import sys

import determinism
import pytest
import toys
import versions
from toys import code, notebook

from course_utils import PROJECT
from lessonkit.runner.result import ChapterResult


def entry(python="3.12.1", torch="2.14.1", answers=("untouched", "solved"), **chapters):
    run = {"date": "2026-01-02 03:04 UTC", "commit": "abc1234", "there": len(chapters) or 1}
    run["chapters"] = chapters or {"00_a": chapter()}
    facts = {"python": python, "torch": torch, "torchvision": "0.29.1", "system": "Linux x86_64", "cpu": "AVX2"}
    return facts | {"cores": 2, "answers": {name: json.loads(json.dumps(run)) for name in answers}}


def chapter(status="passed", deprecations=(0, 0), **more):
    return {"status": status, "seconds": 10, "deprecations": list(deprecations), **more}


def test_the_page_of_what_was_seen_shows_what_is_on_record():
    whole = json.loads(versions.RECORD.read_text(encoding="utf-8"))
    assert versions.written().read() == versions.table(whole), "run `python tools/testing/versions.py --table`"


def test_what_is_on_record_names_its_ground_and_its_commit():
    for name, found in json.loads(versions.RECORD.read_text(encoding="utf-8")).items():
        assert name == f"python {found['python']}, torch {found['torch']}, {found['system']} {found['cpu']}"
        assert found["answers"] and set(found["answers"]) <= set(versions.ANSWERS)
        for run in found["answers"].values():
            assert run["commit"] and run["date"].endswith("UTC") and run["chapters"]
            for one in run["chapters"].values():
                assert (one["status"] == "passed") == ("broke" not in one)


def test_a_torch_brings_the_torchvision_of_its_age():
    assert versions.torchvision_for("2.11.0") == "0.26.0" and versions.torchvision_for("2.14.1") == "0.29.1"
    with pytest.raises(versions.Lacking, match="torch 2 only"):
        versions.torchvision_for("1.13.1")


def test_without_torch_its_libraries_are_left_out_and_nothing_else():
    lines = (PROJECT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    gone = set(lines) - set(versions.rest(lines))
    names = {line.split("==")[0] for line in gone if "==" in line}
    assert {"torch", "torchvision", "triton", "nvidia-cublas", "cuda-bindings"} <= names
    assert not {"nvidia-ml-py", "torchdata", "timm", "numpy"} & names
    assert all(name.startswith(("torch", "triton", "nvidia-", "cuda-")) for name in names)


@pytest.mark.parametrize(
    ("torch", "last"),
    [
        ("2.11.0", ["torch==2.11.0", "torchvision==0.26.0"]),
        ("newest", ["--upgrade", "torch", "torchvision"]),
        ("nightly", ["--index-strategy", "unsafe-best-match", "torch", "torchvision"]),
    ],
)
def test_another_torch_comes_after_the_other_pins_which_it_may_replace(tmp_path, monkeypatch, torch, last):
    monkeypatch.setattr(versions, "uv", lambda: ["uv"])
    first, second, ours = versions.installs("python", torch, tmp_path)
    others = (tmp_path / "rest.txt").read_text(encoding="utf-8")
    assert first[-1] == str(tmp_path / "rest.txt") and "setuptools==" in others
    assert "torchdata==" not in others and any(word.startswith("torchdata==") for word in second)
    assert second[-len(last) :] == last and ours[-2:] == ["-e", "."]


def test_by_the_pins_the_environment_is_the_pins(tmp_path, monkeypatch):
    monkeypatch.setattr(versions, "uv", lambda: ["uv"])
    (first, _) = versions.installs("python", None, tmp_path)
    assert first[-2:] == ["-r", "requirements.txt"] and list(tmp_path.iterdir()) == []


def test_a_python_is_a_path_or_what_uv_finds_or_one_of_pyenvs(tmp_path, monkeypatch):
    nothing = [sys.executable, "-c", "raise SystemExit(1)"]
    assert versions.interpreter(sys.executable) == sys.executable
    assert versions.interpreter("3.12", ask=[sys.executable, "-c", "print('/its/path')"]) == "/its/path"
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    with pytest.raises(versions.Lacking, match=r"No Python 3\.12 here"):
        versions.interpreter("3.12", ask=nothing)
    python = tmp_path / "versions" / "3.12.9" / versions.BIN
    python.parent.mkdir(parents=True)
    python.touch()
    assert versions.interpreter("3.12", ask=nothing) == str(python)
    with pytest.raises(versions.Lacking, match="expected a version"):
        versions.interpreter("--system", ask=nothing)


def test_a_later_run_of_some_chapters_leaves_the_others_as_they_were_seen(tmp_path):
    record = tmp_path / "versions.json"
    versions.keep(entry(**{"00_a": chapter(), "01_b": chapter("failed", broke="cell 3: it broke")}), record)
    versions.keep(entry(python="3.13.0"), record)
    whole = versions.keep(entry(answers=["solved"], **{"01_b": chapter()}), record)
    assert json.loads(record.read_text(encoding="utf-8")) == whole and len(whole) == 2
    found = whole["python 3.12.1, torch 2.14.1, Linux x86_64 AVX2"]["answers"]
    assert [one["status"] for one in found["solved"]["chapters"].values()] == ["passed", "passed"]
    assert [one["status"] for one in found["untouched"]["chapters"].values()] == ["passed", "failed"]


def test_the_table_says_what_broke_and_whose_deprecations_there_were():
    old = "torch.jit: DeprecationWarning: old"
    broken = chapter("failed", (1, 1), broke="cell 3: a | b", messages=["cell 4: FutureWarning: ours", old])
    good = chapter(deprecations=(0, 1), messages=[old], differ=["cell 2: x, stdout"])
    text = versions.table({"one": entry(answers=["untouched"], **{"00_a": good, "01_b": broken})})
    (line,) = text.splitlines()[2:]
    assert line.startswith(
        "| 3.12.1, 2.14.1 | 1 of 2 chapters; 01: cell 3: a \\| b; 1 output differs from the stored text"
    )
    assert line.endswith("| not seen | 1 / 1 | Linux x86_64, AVX2, 2026-01-02 |")
    assert "text as stored" in versions.table({"one": entry(**{"00_a": chapter(differ=[])})})
    some = entry()
    some["answers"]["solved"]["there"] = 14
    assert "| 1 of 1 chapters; 13 more not run | 0 / 0 |" in versions.table({"one": some})
    assert versions.table({}).startswith("Nothing is on record")


def test_a_failure_or_a_call_of_our_own_is_a_failure():
    assert not versions.failed(entry(**{"00_a": chapter(deprecations=(0, 3))}))
    assert versions.failed(entry(**{"00_a": chapter(deprecations=(1, 0))}))
    assert versions.failed(entry(**{"00_a": chapter("timeout")}))


def test_chapters_are_run_by_the_environment_and_seen(tmp_path, capfd):
    """A toy series on this Python: one chapter passes, one breaks and calls what is deprecated."""
    old = "import warnings\nwith warnings.catch_warnings():\n    warnings.simplefilter('ignore')\n    "
    old += "warnings.warn('old', FutureWarning)\n1 / 0"
    books = toys.write(tmp_path / "books", _00_good=notebook(code("print(1)")), _01_bad=notebook(code(old)))
    folder = tmp_path / "3.x"
    assert versions.run(folder, sys.executable, "untouched", jobs=1, notebooks=books) == 1
    found, lines = versions.seen(folder, books)
    chapters = found["answers"]["untouched"]["chapters"]
    assert chapters["00_good"]["status"] == "passed" and chapters["00_good"]["deprecations"][0] == 0
    assert chapters["00_good"]["differ"] == ["cell 1: print(1), stdout"]  # the toy has nothing stored
    assert chapters["01_bad"]["status"] == "failed" and "ZeroDivisionError" in chapters["01_bad"]["broke"]
    assert chapters["01_bad"]["deprecations"][0] == 1 and versions.failed(found)
    assert chapters["01_bad"]["messages"][0] == "cell 1: FutureWarning: old"
    assert found["python"].startswith(f"{sys.version_info.major}.") and found["answers"]["untouched"]["date"]
    assert any(line.startswith("01_bad") and "ZeroDivisionError" in line for line in lines)
    with pytest.raises(versions.Lacking, match="Nothing was run"):
        versions.seen(tmp_path / "empty", books)
    with pytest.raises(versions.Lacking, match="Nothing was run"):
        versions.seen(folder, books, ways=["solved"])


def test_the_ground_names_the_accelerator_that_torch_has():
    report = {"machine": {"python": "3.12.3", "torch": "2.11.0+cu130", "torchvision": "0.26.0", "cores": 16}}
    report["machine"] |= {"os": "Linux 6.1 x86_64", "cpu_capability": "AVX512", "accelerator": None}
    assert versions.facts(report)["cpu"] == "AVX512"
    report["machine"]["accelerator"] = "NVIDIA H200 (cuda)"
    assert versions.facts(report)["cpu"] == "AVX512 + NVIDIA H200 (cuda)"


def test_where_git_does_not_tell_the_commit_is_what_was_said(tmp_path, monkeypatch):
    monkeypatch.setattr(versions, "commit", lambda: "")
    books = toys.write(tmp_path / "books", _00_good=notebook(code("1")))
    versions.run(tmp_path / "here", sys.executable, "untouched", jobs=1, notebooks=books, known="abc1234")
    assert json.loads((tmp_path / "here" / "untouched" / "about.json").read_text())["commit"] == "abc1234"


def test_the_commit_says_when_files_have_been_changed(tmp_path, monkeypatch):
    monkeypatch.setattr(versions, "PROJECT", tmp_path)
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    try:
        subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    except OSError:
        pytest.skip("no git here")
    (tmp_path / "a").write_text("1", encoding="utf-8")
    page = tmp_path / "docs" / "status.md"
    page.parent.mkdir()
    page.write_text("1", encoding="utf-8")
    subprocess.run([*git, "add", "a", "docs/status.md"], check=True)
    subprocess.run([*git, "-c", "commit.gpgsign=false", "commit", "-q", "-m", "a"], check=True)
    clean = versions.commit()
    assert len(clean) == 7
    page.write_text("2", encoding="utf-8")
    assert versions.commit() == clean, "the table in docs/status.md is written after each run"
    (tmp_path / "a").write_text("2", encoding="utf-8")
    assert versions.commit() == f"{clean}+"


def test_compared_with_what_is_stored_only_where_nothing_was_answered(tmp_path):
    good = ChapterResult(name="00_a", status="passed", error=None)
    books = toys.write(tmp_path / "books", _00_a=notebook(code("print(1)")))
    toys.write(tmp_path / "out", _00_a=notebook(code("print(1)")))
    assert versions.compared(good, "untouched", tmp_path / "out", books) == determinism.Compared(1, 0, [])
    assert versions.compared(good, "solved", tmp_path / "out", books) is None
