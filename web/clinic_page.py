"""The clinic's page: the field for a traceback, and every case in words that need no script."""

import html
import re
from collections.abc import Iterable

from torch_clinic.cases import Case, known_cases

EXAMPLE = """\
Traceback (most recent call last):
  File "train.py", line 31, in <module>
    logits = model(images)
             ^^^^^^^^^^^^^
  File "train.py", line 18, in forward
    return self.head(features.flatten(1))
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x2304 and 9216x120)
"""
FORM = f"""\
<form id="clinic-form" hidden onsubmit="return false">
<label for="clinic-text">The whole error, from its first line to its last:</label>
<textarea id="clinic-text" rows="10" spellcheck="false" autocomplete="off"
 placeholder="Traceback (most recent call last):" data-example="{html.escape(EXAMPLE)}"></textarea>
<button type="button" id="clinic-example">Show an example</button>
<button type="button" id="clinic-clear">Clear</button>
</form>
<div id="clinic-answer" role="status" aria-live="polite"></div>
<noscript><p>This field needs JavaScript; the cases below and <code>course diagnose</code> do not.</p></noscript>
<script src="_static/clinic-data.js" defer></script>
<script src="_static/clinic.js" defer></script>
<script src="_static/clinic-index.js" defer></script>
"""
FILTER = """\
<form id="clinic-filter-form" hidden onsubmit="return false">
<label for="clinic-filter">Show only the cases that contain these words:</label>
<input type="search" id="clinic-filter" autocomplete="off" spellcheck="false">
<p id="clinic-count" role="status" aria-live="polite"></p>
</form>
"""
# Groups of the tables whose name is not yet a heading; all others are.
HEADINGS = {
    "autograd": "Gradients and the backward pass",
    "checkpoints": "Saving and loading",
    "compile": "torch.compile",
    "data": "Data and loaders",
    "devices": "Devices and memory",
    "dtypes": "Types of numbers (dtypes)",
    "losses": "Loss functions and their targets",
    "modules": "Models and layers",
    "nets": "Models and layers",
    "processes": "Several processes",
    "shapes": "Shapes",
    "silent": "No error is raised, and the result is wrong",
}


def page() -> str:
    """Return the page in MyST: the form, an index of the groups, then the cases, each folded below its title."""
    groups = grouped(known_cases().values())
    count = sum(map(len, groups.values()))
    parts = [
        "# The clinic: paste your traceback\n",
        f"The clinic compares your error with the {count} cases that the course knows. The comparison happens",
        "in this page, by the patterns of `course diagnose`. Nothing is sent anywhere.\n",
        f"```{{raw}} html\n{FORM}```\n",
        "## All cases\n",
        f"```{{raw}} html\n{FILTER}```\n",
        *(f"- [{heading}](#{address(heading)}) ({len(members)})" for heading, members in groups.items()),
    ]
    for heading, members in groups.items():
        cases = "\n".join(map(_case, members))
        parts += ["", f"({address(heading)})=", f"### {heading}\n", f"```{{raw}} html\n{cases}\n```\n"]
    return "\n".join(parts)


def grouped(cases: Iterable[Case]) -> dict[str, list[Case]]:
    """Return heading -> cases, the headings in the order of the alphabet and the silent cases last."""
    groups = {}
    for case in cases:
        groups.setdefault(HEADINGS.get(case.group, case.group.capitalize()), []).append(case)
    return dict(sorted(groups.items(), key=lambda pair: (pair[0] == HEADINGS["silent"], pair[0].lower())))


def address(heading: str) -> str:
    """Return the anchor of a group."""
    return "cases-" + re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


def _case(case: Case) -> str:
    """Return one case as HTML: its words hold brackets, stars and dollars that Markdown would read as its own."""
    rows = [
        ("Message" if case.kind == "loud" else "Seen instead of an error", f"<code>{_text(case.message)}</code>")
    ]
    rows += [("Look at", _code(case.look)), ("Read", _code(case.read)), ("Fix", _code(case.fix))]
    body = "".join(f"<dt>{name}</dt><dd>{words}</dd>" for name, words in rows)
    title = f"<summary>{_code(case.title)} <small>chapter {_text(case.chapter[:2])}</small></summary>"
    return f'<details class="clinic-case" id="{case.id}">{title}<dl>{body}</dl></details>'


def _text(words: str) -> str:
    return html.escape(words)


def _code(words: str) -> str:
    parts = html.escape(words).split("`")
    return "".join(f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts))
