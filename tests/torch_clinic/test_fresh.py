"""`diagnose` on texts made without a look at the cases: half raised by small programs, half as in threads.

Each text has the case that must come first ("none" where none may be named), words that the first finding must say,
and words that it must not: those of a fix that is true of a neighbour only. `nor`: cases not to be named at all.
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
    said = f"{found[0].title} {found[0].read} {found[0].fix}"
    assert not [word for word in text.get("must", ()) if word not in said], said
    assert not [word for word in text.get("never", ()) if word in said], said
    assert text.get("line", "") in found[0].line
    assert not {finding.case for finding in found} & set(text.get("nor", ()))


CUT_OFF = """Traceback (most recent call last):
  File "fit.py", line 61, in <module>
    loss.backward()
  File "/opt/env/lib/python3.11/site-packages/torch/autograd/__init__.py", line 347, in backward
    _engine_run_backward(
"""


@pytest.mark.parametrize(
    ("above", "ends_before"),
    [
        ("", True),
        ("epoch 1, loss 0.31\n", True),
        ("Assertion `depth < most` failed.\n", False),
        ("The frobnicator is not supported\n\n", False),
        ("Unable to reach the store\n", False),
    ],
)
def test_a_text_whose_message_stands_above_the_traceback_is_not_called_cut_off(above, ends_before):
    found = diagnose(above + CUT_OFF)
    assert found == []
    assert ("ends before the message" in str(found)) == ends_before
