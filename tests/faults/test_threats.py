"""The threat model's promises: each names a test that is there; and the promises about CI themselves."""

import ast
import json
import re
import sys

import audit
import soak
import yaml

from course_utils import PROJECT
from lessonkit.system.marked_section import Section

PAGE = (PROJECT / "docs" / "threats.md").read_text(encoding="utf-8")
ROWS = [
    [column.strip() for column in line.strip("|").split("|")]
    for line in PAGE.splitlines()
    if line.startswith("|") and not line.startswith(("| ---", "| who could"))
]
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
WORKFLOWS = {
    path.name: path.read_text(encoding="utf-8")
    for path in sorted((PROJECT / ".github" / "workflows").glob("*.yml"))
}


def named_in(path):
    """The names of a file's tests."""
    tree = ast.parse((PROJECT / path).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def test_every_promise_names_a_test_that_is_there(fault):
    with fault("promises of the threat model", goal=len(ROWS)) as row:
        for who, what, test in ROWS:
            with row.case(what):
                found = NAMED.fullmatch(test)
                assert who and what and found, f"{test!r} is no name of a test"
                assert (PROJECT / found[1]).is_file() and found[2] in named_in(found[1]), f"{test} is not there"
    assert len(ROWS) >= 20
    assert len(re.findall(r"^\*\*Not promised\.\*\*", PAGE, re.MULTILINE)) == 3
    assert all(place in PAGE for place in ("## Alone", "## In a room", "## On CI"))


def test_no_test_is_named_that_is_not_there():
    for path, name in NAMED.findall(PAGE):
        assert name in named_in(path), f"{path}::{name}"


def test_the_page_of_faults_shows_what_is_on_record():
    assert soak.PAGE.read_text(encoding="utf-8") == soak.page(soak.recorded())
    for row in soak.recorded().values():
        assert row["soak"] and row["commit"] and row["where"] and row["date"]


def test_the_page_is_led_to():
    for page in ("README.md", "docs/room.md"):
        assert "threats.md" in (PROJECT / page).read_text(encoding="utf-8"), page


def test_no_workflow_gives_foreign_code_a_secret_or_a_right():
    for name, text in WORKFLOWS.items():
        said = yaml.safe_load(text)
        events = said[True]  # `on`, which YAML takes for a truth
        assert not {"pull_request_target", "issue_comment", "issues"} & set(events), name
        assert "secrets." not in text, f"{name} uses a secret"
        if "workflow_run" in events:
            assert not re.search(r"workflow_run\.head|ref:", text), f"{name} checks out what it was started by"
        for job, content in said["jobs"].items():
            rights = content.get("permissions", {})
            assert set(rights.items()) <= {("pages", "write"), ("id-token", "write")}, f"{name}, {job}"
            assert not rights or "pull_request" not in events, f"{name}, {job}"
            own = "self-hosted" in str(content["runs-on"])
            assert not own or set(events) == {"workflow_dispatch"}, f"{name}, {job}: a machine of one's own"
            for step in content["steps"]:
                told = re.findall(r"\$\{\{(.*?)\}\}", step.get("run", ""))
                assert not [words for words in told if re.search(r"github\.(event|head_ref)|inputs\.", words)], name


def test_actions_are_githubs_own_at_a_version():
    used = {found for text in WORKFLOWS.values() for found in re.findall(r"uses: (\S+)", text)}
    assert used and all(re.fullmatch(r"actions/[a-z-]+@(v\d+|[0-9a-f]{40})", one) for one in used), used


def test_an_audit_that_could_ask_nobody_is_no_good_news():
    skipped = [{"name": name, "skip_reason": "Dependency not found on PyPI"} for name in ("a", "b")]
    assert audit.judged({"dependencies": skipped})[0] == audit.UNSEEN
    assert audit.judged(None)[0] == audit.judged({"dependencies": []})[0] == audit.UNSEEN
    clean = [{"name": str(n), "version": "1", "vulns": []} for n in range(20)]
    assert audit.judged({"dependencies": [*clean, skipped[0]]}) == (audit.NONE, 20, [])
    hole = {"name": "c", "version": "2", "vulns": [{"id": "PYSEC-1", "fix_versions": ["3"]}]}
    assert audit.judged({"dependencies": [hole, *skipped]}) == (
        audit.FOUND,
        1,
        ["c 2: PYSEC-1, mended in 3"],
    )
    assert any("make audit" in text for text in WORKFLOWS.values())


def test_the_page_says_of_the_audit_what_is_on_record(monkeypatch, tmp_path):
    record = json.loads(audit.RECORD.read_text(encoding="utf-8"))
    assert Section(audit.PAGE, audit.BEGIN, audit.END).read() == audit.sentence(record)
    monkeypatch.setattr(audit, "PAGE", tmp_path / "threats.md")
    monkeypatch.setattr(audit, "RECORD", tmp_path / "audit.json")
    audit.PAGE.write_text(PAGE, encoding="utf-8")
    audit.write({"seen": "2026-01-02", "asked": 226, "findings": []})
    text = audit.PAGE.read_text(encoding="utf-8")
    assert "last answered on 2026-01-02, of 226 packages; found: none." in text
    assert text.partition(audit.END)[2] == PAGE.partition(audit.END)[2]


def test_an_audit_that_is_not_answered_leaves_the_record(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(audit, "ask", lambda: None)
    monkeypatch.setattr(audit, "RECORD", tmp_path / "audit.json")
    monkeypatch.setattr(sys, "argv", ["audit.py", "--record"])
    assert audit.main() == audit.UNSEEN and "Unseen" in capsys.readouterr().out
    assert not (tmp_path / "audit.json").exists()
