"""`diagnose` on texts made without a look at the cases: half raised by small programs, half as in threads.

Each text has the case that must come first ("none" where none may be named), words that the first finding must say,
and words that it must not: those of a cure that is true of a neighbour only. `nor`: cases not to be named at all.
"""

import tomllib
from pathlib import Path

import pytest

from torch_clinic.diagnosis import diagnose

FOLDER = Path(__file__).parent / "fresh"
TEXTS = {
    f"{path.stem}-{name}": table
    for path in sorted(FOLDER.glob("*.toml"))
    for name, table in tomllib.loads(path.read_text(encoding="utf-8")).items()
}


def test_there_are_many_and_half_of_each_kind():
    assert len(TEXTS) >= 115
    assert sum(name.startswith("raised") for name in TEXTS) >= 55
    assert sum(name.startswith("thread") for name in TEXTS) >= 55


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_the_case_and_what_is_said_of_this_text(text):
    found = diagnose(text["text"])
    if text["case"] == "none":
        assert found == []
        return
    assert found and found[0].case == text["case"]
    said = f"{found[0].title} {found[0].read} {found[0].cure}"
    assert not [word for word in text.get("must", ()) if word not in said], said
    assert not [word for word in text.get("never", ()) if word in said], said
    assert text.get("line", "") in found[0].line
    assert not {finding.case for finding in found} & set(text.get("nor", ()))
