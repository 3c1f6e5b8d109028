"""The soak of the learner's progress, for some seconds: real kernels, and each of their checks noted once."""

import re

from soak_progress import soak


def test_two_kernels_at_once_have_every_check_noted_once_and_are_told_nothing(tmp_path, capsys):
    work = tmp_path / "mon école"
    work.mkdir()
    # On a busy machine one that holds the lock may not get its turn for a second.
    status = soak(work, 3, 2, patience=60)
    said = capsys.readouterr().out
    assert status == 0, said
    made, noted = map(int, re.search(r"2 kernels, 3 s: (\d+) checks, (\d+) noted", said).groups())
    assert made == noted > 10
    assert said.endswith("the start page was up to date; nobody was told anything\n")
