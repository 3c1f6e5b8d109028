"""Render a verdict as HTML: a box with the message, and below it hints and our answer, which unfold on a click.

It is read in JupyterLab and other editors, on light themes and dark ones, by keyboard and by screen reader, and on
pages that take away every style, role and label. So nothing is said by colour alone, the text keeps the page's own
colours, and there is no script and no style sheet.
"""

import html
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lessonkit.checks.verdict import Note, Verdict

_SIGNS = {"passed": "✓", "not attempted": "○"}
_COLORS = {"passed": "#2a9d4e", "not attempted": "#8a8a8a", "known mistake": "#d98200"}
_WRONG, _NOTE = "#c8352b", "#3b7dc4"
_EMPHASIS = re.compile(r"(?<![\w*)\]])\*(?![\s*])([^*`\n]+?)(?<![\s*])\*(?![\w*(\[])")  # a product is none
_ANSWER = re.compile(r'<details class="course-answer">.*?</details>', re.DOTALL)


def sign_of(state: str) -> str:
    """Return the sign of a verdict's state, such as ✓."""
    return _SIGNS.get(state, "✗")


def verdict_box(verdict: "Verdict") -> str:
    """Return a verdict in HTML: what it says, the hints, our answer, and what the answer printed."""
    spoken = f"{_sign(sign_of(verdict.state), verdict.state)} {words(f'{verdict.exercise}: {verdict.message}')}"
    printed = f"<div>Your code printed:</div>{_code(verdict.printed)}" if verdict.printed else ""
    ours = _folded("course-answer", "Our answer, to compare", _code(verdict.solution)) if verdict.solution else ""
    if verdict.state == "not attempted" and verdict.hints:  # first a try of one's own
        ours = f"<div>{words(f'`ex.{verdict.exercise}.solution()` shows our answer.')}</div>"
    help_ = ours if verdict.passed else _staged(verdict.hints, ours)
    return _box(
        "course-verdict",
        _COLORS.get(verdict.state, _WRONG),
        _said(spoken) + help_ + printed,  # that may be long
        data_exercise=verdict.exercise,
        data_state=verdict.state,
        role="group",
        aria_label=f"{verdict.exercise}: {verdict.state}",
    )


def note_box(note: "Note") -> str:
    """Return a hint or a solution in HTML."""
    return _box("course-note", _NOTE, _code(note.text) if note.code else _said(words(note.text)))


def words(text: str) -> str:
    """Return a text escaped, with `code` and *emphasis* set as such and a `<br>` for each end of a line.

    >>> words("the *last* axis of `a * b * c`, 2 * 3 * 4")
    'the <em>last</em> axis of <code>a * b * c</code>, 2 * 3 * 4'
    """
    parts = re.split(r"(`[^`\n]+`)", html.escape(text))  # every second one is code
    for number, part in enumerate(parts):
        code = number % 2
        parts[number] = f"<code>{part[1:-1]}</code>" if code else _EMPHASIS.sub(r"<em>\1</em>", part)
    return "".join(parts).replace("\n", "<br>")


def _code(text: str) -> str:
    """Return a text escaped, in a fixed-width font; long lines are wrapped, so that nobody has to scroll."""
    return f'<pre style="white-space: pre-wrap; overflow-wrap: anywhere"><code>{html.escape(text)}</code></pre>'


def _box(name: str, color: str, content: str, **attributes: str) -> str:
    """Return a box of class `name` with a bar on its left, and `attributes` (`data_state` is `data-state`)."""
    # Half the colour of the text: dark on a light theme and light on a dark one. Where a browser, or whoever takes
    # away what it does not know, has no `color-mix`, the bar has the colour of the text.
    mixed = f"color-mix(in srgb, currentColor 45%, {color})"
    style = f"border-left: 4px solid; border-left-color: {mixed}; padding: 0.3em 0.8em"
    told = "".join(f' {key.replace("_", "-")}="{html.escape(value)}"' for key, value in attributes.items())
    return f'<div class="{name}"{told} style="{style}">{content}</div>'


def _said(content: str) -> str:
    """Return what a screen reader is to say as soon as it is there; what unfolds stands outside of it."""
    return f'<div role="status" style="white-space: pre-wrap">{content}</div>'


def _sign(text: str, meaning: str) -> str:
    """Return a sign such as ✓ that is read out as its meaning."""
    return f'<span role="img" aria-label="{html.escape(meaning)}">{html.escape(text)}</span>'


def _staged(hints: Sequence[str], last: str) -> str:
    """Return the hints, each folded within the one before it, and within the last of them `last`, HTML."""
    for number, hint in reversed(list(enumerate(hints, start=1))):
        last = _folded("course-hint", f"Hint {number} of {len(hints)}", f"<div>{words(hint)}</div>{last}")
    return last


def without_answer(page: str) -> str:
    """Return a verdict's HTML without our answer: what is stored in a chapter that others have yet to solve."""
    return _ANSWER.sub("", page)


def _folded(name, summary, content):
    return f'<details class="{name}"><summary>{summary}</summary>{content}</details>'
