"""Records of runs: read, labelled, kept whole or not at all."""

import datetime
import json

import pytest
import torch

from course_utils import recorded

RECORD = {
    "what": "A training step, 20 times.",
    "machine": "NVIDIA X (cuda), 16 cores",
    "versions": {"python": "3.12.1", "torch": "2.13.0"},
    "date": "2026-02-03",
    "figures": {"milliseconds": 1.5},
}


def test_a_record_that_is_not_there_is_none_and_says_how_to_make_it(tmp_path):
    record = recorded.read("gpu", folder=tmp_path)
    assert record is None
    said = recorded.label(record, made_by="python tools/record/gpu.py")
    assert said == "Not recorded yet: `python tools/record/gpu.py` makes it."
    assert recorded.label(None) == "Not recorded yet: no such run has been kept with the course."


def test_the_label_names_machine_version_and_date(tmp_path):
    (tmp_path / "gpu.json").write_text(json.dumps(RECORD), encoding="utf-8")
    record = recorded.read("gpu", folder=tmp_path)
    assert record == RECORD
    said = recorded.label(record, made_by="python tools/record/gpu.py")
    assert said == "Recorded on NVIDIA X (cuda), 16 cores, torch 2.13.0, 2026-02-03."


@pytest.mark.parametrize("field", list(RECORD))
@pytest.mark.parametrize("value", ["absent", None, 7, ""])
def test_a_record_that_lacks_something_is_refused_by_name(tmp_path, field, value):
    broken = {key: value if key == field else kept for key, kept in RECORD.items()}
    if value == "absent":
        del broken[field]
    (tmp_path / "gpu.json").write_text(json.dumps(broken), encoding="utf-8")
    with pytest.raises(
        recorded.RecordError, match=rf"gpu\.json is damaged: found .*'{field}'.*expected all of what"
    ):
        recorded.read("gpu", folder=tmp_path)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b'{"what": "cut o', "no JSON .line 1"),
        (b"", "no JSON"),
        (b"[1, 2]", "a list instead of a dict"),
        (b"\xff\xfe\x00", "bytes that are not text"),
    ],
)
def test_a_damaged_file_is_refused_and_left_as_it_is(tmp_path, content, complaint):
    path = tmp_path / "gpu.json"
    path.write_bytes(content)
    with pytest.raises(recorded.RecordError, match=complaint):
        recorded.read("gpu", folder=tmp_path)
    assert path.read_bytes() == content


def test_what_is_written_is_read_back_with_machine_versions_and_date(tmp_path):
    before = datetime.date.today()
    path = recorded.write(
        "long", what="A run.", figures={"loss": [1.0, 0.5]}, versions={"timm": "1.0"}, folder=tmp_path / "new"
    )
    record = recorded.read("long", folder=tmp_path / "new")
    assert list(record) == list(RECORD)
    assert record["figures"] == {"loss": [1.0, 0.5]}
    assert record["versions"]["torch"] == torch.__version__ and record["versions"]["timm"] == "1.0"
    assert before <= datetime.date.fromisoformat(record["date"]) <= datetime.date.today()
    assert record["machine"].endswith("cores")
    assert [entry.name for entry in path.parent.iterdir()] == ["long.json"]


@pytest.mark.parametrize("figures", [{"loss": float("nan")}, {"loss": torch.tensor(1.0)}, {}])
def test_figures_that_json_cannot_hold_leave_the_earlier_record(tmp_path, figures):
    recorded.write("long", what="A run.", figures={"loss": 1}, folder=tmp_path)
    with pytest.raises(recorded.RecordError, match="long was not kept"):
        recorded.write("long", what="A run.", figures=figures, folder=tmp_path)
    assert recorded.read("long", folder=tmp_path)["figures"] == {"loss": 1}
    assert len(list(tmp_path.iterdir())) == 1


def test_the_machine_is_named_by_its_accelerator(monkeypatch):
    monkeypatch.setattr(recorded.machine, "accelerator", lambda: "NVIDIA X (cuda)")
    monkeypatch.setattr(recorded.machine, "cores", lambda: 16)
    assert recorded.this_machine() == "NVIDIA X (cuda), 16 cores"
    monkeypatch.setattr(recorded.machine, "accelerator", lambda: None)
    assert recorded.this_machine().startswith("CPU (")
