"""What a submitted notebook says of itself: the Python that it was written for, and the checks that passed there.

A learner could have typed either, so no mark rests on them: they tell whoever looks where to look.
"""

import re

from nbformat import NotebookNode

from lessonkit.checks.verdict import MIME
from lessonkit.checks.verdict_html import sign_of

_PASSED = re.compile(rf"^{re.escape(sign_of('passed'))} (\w+(?: \w+)?):", re.MULTILINE)


def python_of(notebook: NotebookNode) -> str:
    """Return the version of Python that a notebook was written for, such as "3.13.1"; empty where it says none."""
    info = notebook.metadata.get("language_info")
    version = info.get("version") if isinstance(info, dict) else None
    return version if isinstance(version, str) and re.fullmatch(r"\d+(\.\d+)+\S{0,20}", version) else ""


def passed_there(notebook: NotebookNode) -> frozenset[str]:
    """Return the exercises and questions of which a stored output says that their check passed."""
    found: set[str] = set()
    for cell in notebook.cells:
        outputs = cell.get("outputs")
        for output in outputs if isinstance(outputs, list) else ():
            found.update(_passed(output) if isinstance(output, dict) else ())
    return frozenset(found)


def _passed(output):
    data = output.get("data")
    data = data if isinstance(data, dict) else {}
    said = data.get(MIME)
    if isinstance(said, dict) and said.get("state") == "passed":
        yield str(said.get("exercise"))
    for text in (data.get("text/plain"), output.get("text")):
        text = "".join(map(str, text)) if isinstance(text, list) else text
        if isinstance(text, str):
            yield from _PASSED.findall(text[:100_000])
