"""What a terminal shows while chapters run: a line for each, and above the lines what is worth knowing."""

import io

from rich.console import Console

from lessonkit.runner import console
from lessonkit.runner.result import ChapterResult

NEAR = "cell 2: fit() -> had been running for 300 s; it is ended after 600 s"


def shown(terminal):
    screen = Console(file=io.StringIO(), force_terminal=terminal, width=120, highlight=False)
    with console.display_for(screen) as display:
        display.heard("00_a", {"event": "begin"})
        display.heard("00_a", {"event": "start", "cell": "cell 2: fit()", "number": 2, "of": 7})
        display.note("00_a", NEAR)
        display.done(ChapterResult(name="00_a", status="passed", seconds=301.0, cells=7, error=None))
    return type(display), screen.file.getvalue()


def test_a_sentence_stands_on_a_line_of_its_own_while_a_chapter_runs():
    kind, text = shown(terminal=True)
    assert kind is console.Live
    assert f"00_a: {NEAR}" in text and "cell 2 of 7" in text and "passed" in text
    kind, text = shown(terminal=False)
    assert kind is console.Lines
    assert text.splitlines() == ["00_a: started", f"00_a: {NEAR}", "00_a: passed, 7 cells, 301.0 s"]
