"""Every reader of the course against damaged files: each is read rightly, or refused in a sentence of the course's.

The cases run in a few child processes (tests/helpers/fuzz.py), each of which makes its cases itself from their kind
and number (fuzz_damage.py) for the readers of fuzz_readers.py.
"""

import sys

import faults
import fuzz
import fuzz_planted
import fuzz_readers
import pytest
from faults import many

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="memory and files are watched by means of Linux"
)
# The rows of the table: their readers, and the cases of each in the short sample and in the soak.
ROWS = {
    "files: IDX": (("plain IDX", "packed IDX", "zipped IDX"), 40, 520),
    "files: recordings (WAV)": (("recording", "recording, chapter 03"), 54, 800),
    "files: pictures": (("picture",), 90, 1500),
    "files: folders of a data set": (("folder",), 90, 1400),
    "files: archives of a data set": (("archive",), 90, 1400),
    "files: texts": (("text",), 80, 1200),
    "files: checkpoints": (("checkpoint", "checkpoint, made"), 54, 900),
    "files: recorded figures": (("record",), 90, 1500),
    "files: progress": (("progress",), 90, 1200),
    "files: submissions": (("submission",), 100, 1600),
    "files: archives handed in": (("zip handed in", "tar handed in"), 54, 900),
    "files: tracebacks": (("traceback",), 100, 1500),
    "files: bundles": (("bundle",), 100, 1500),
    "files: notebooks at the desk": (("copy at the desk", "executed notebook"), 50, 700),
    "files: the classroom's and the room's": (
        ("kept classroom", "membership", "report of a kernel", "message of an answer", "report of a run"),
        36,
        400,
    ),
}


@pytest.fixture(scope="module")
def pool(tmp_path_factory):
    with fuzz.Pool(tmp_path_factory.mktemp("fuzz")) as pool:
        yield pool


def cases(names, number):
    """`number` cases of each reader, all its kinds of damage in turn."""
    for name in names:
        kinds = list(fuzz_readers.READERS[name].kinds)
        for one in range(number):
            yield fuzz.Case("fuzz_readers", name, kinds[one % len(kinds)], one // len(kinds))


@pytest.mark.parametrize("row", ROWS)
def test_damaged_files_are_read_rightly_or_refused_in_words(row, pool, fault):
    names, short, soak = ROWS[row]
    with fault(row, goal=soak * len(names)) as counted:
        for answer in pool.run(cases(names, many(short, soak))):
            counted.count(answer.lost, seconds=answer.seconds)


def test_all_readers_are_tried_and_every_kind_in_the_short_sample_too():
    tried = [name for names, *_ in ROWS.values() for name in names]
    assert sorted(tried) == sorted(fuzz_readers.READERS)
    for names, short, _ in ROWS.values():
        assert all(short >= 3 * len(fuzz_readers.READERS[name].kinds) for name in names)
    assert sum(len(names) * soak for names, _, soak in ROWS.values()) >= 20_000


def test_a_planted_fault_is_found_and_the_next_case_runs(tmp_path):
    """Whatever a reader does wrong is reported as lost, with the case's name; a child that dies is replaced."""
    with fuzz.Pool(tmp_path, patience=60) as pool:
        names = [name for name in fuzz_planted.FAULTS if name != "hangs"]
        every = [fuzz.Case("fuzz_planted", name, "damaged", n) for name in names for n in range(2)]
        answers = {answer.case: answer for answer in pool.run(every)}
    assert len(answers) == len(every)
    for case, answer in answers.items():
        _, expected = fuzz_planted.FAULTS[case.reader]
        if expected is None:
            assert answer.lost is None and "found seven letters" in answer.said, answer
        else:
            assert answer.lost and answer.lost.startswith(f"{case}: ") and expected in answer.lost, answer


def test_a_lost_case_fails_its_row(fault, monkeypatch, tmp_path):
    monkeypatch.setattr(faults, "ROWS", tmp_path)
    with (
        pytest.raises(AssertionError, match=r"doors: 1 of 2 lost\n +the blue one: it fell"),
        fault("doors", goal=2) as row,
    ):
        row.count()
        with row.case("the blue one"):
            raise AssertionError("it fell")
    with pytest.raises(AssertionError, match="nothing was tried"), fault("windows", goal=1):
        pass


def test_a_hang_is_ended_and_lost(tmp_path):
    with fuzz.Pool(tmp_path, children=1, patience=2) as pool:
        (answer,) = pool.run([fuzz.Case("fuzz_planted", "hangs", "damaged", 7)])
        process = pool.children[0].process
    assert answer.lost == "hangs, damaged 7: no end within 2 s"
    assert process is None, "the child that hung was not ended"
