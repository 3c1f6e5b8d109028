"""The clinic's page: the field for a traceback, and every case in words that need no script."""

import html
import itertools

from torch_clinic.cases import Case, known_cases

FORM = """\
<form id="clinic-form" hidden onsubmit="return false">
<label for="clinic-text">The whole error, from its first line to its last:</label>
<textarea id="clinic-text" rows="12" spellcheck="false" autocomplete="off"
 placeholder="Traceback (most recent call last):"></textarea>
<button type="button" id="clinic-clear">Clear</button>
</form>
<div id="clinic-answer" role="status" aria-live="polite"></div>
<noscript><p>This field needs JavaScript; the cases below and <code>course diagnose</code> do not.</p></noscript>
<script src="_static/clinic-data.js" defer></script>
<script src="_static/clinic.js" defer></script>
"""


def page() -> str:
    """Return the page in MyST: the form, then the cases by group."""
    cases = known_cases().values()
    parts = [
        "# The clinic: paste your traceback\n",
        f"It is compared with the {len(cases)} cases that the course knows, here in this page, by the patterns of",
        "`course diagnose`. Nothing is sent anywhere.\n",
        f"```{{raw}} html\n{FORM}```\n",
        "## All cases\n",
    ]
    ordered = sorted(cases, key=lambda case: case.group)
    for group, members in itertools.groupby(ordered, key=lambda case: case.group):
        parts += [f"### {group.capitalize()}\n", *map(_case, members)]
    return "\n".join(parts)


def _case(case: Case) -> str:
    """Return one case as HTML: its words hold brackets, stars and dollars that Markdown would read as its own."""
    rows = [
        ("Message" if case.kind == "loud" else "Seen instead of an error", f"<code>{_text(case.message)}</code>")
    ]
    rows += [("Look at", _code(case.look)), ("Read", _code(case.read)), ("Cure", _code(case.cure))]
    body = "".join(f"<dt>{name}</dt><dd>{words}</dd>" for name, words in rows)
    title = f"<h4>{_code(case.title)} <small>chapter {_text(case.chapter)}</small></h4>"
    return f'```{{raw}} html\n<section class="clinic-case" id="{case.id}">{title}<dl>{body}</dl></section>\n```\n'


def _text(words: str) -> str:
    return html.escape(words)


def _code(words: str) -> str:
    parts = html.escape(words).split("`")
    return "".join(f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts))
