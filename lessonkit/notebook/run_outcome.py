"""Read from an executed notebook how the run went: problems, verdicts, exercises answered, and a traceback."""

import re
from dataclasses import dataclass

from nbformat import NotebookNode

from lessonkit.checks.verdict import MIME
from lessonkit.notebook.cells import code_cells, label, stream, tags, wants_answer, without_colours
from lessonkit.notebook.solutions import checked, imported_exercises
from lessonkit.notebook.tags import RAISES, SHOWS_WARNING

WARNING = re.compile(r"\b\w*(?:Deprecation|Future|User)Warning: .*")  # PendingDeprecationWarning too
# No chapter's fault: more workers than cores is true of the machine; and what torch 2.11 warns of in its own files,
# as torch.export.load and ZeroRedundancyOptimizer use them.
NO_FAULT = re.compile(
    r"UserWarning: This DataLoader will create \d+ worker"
    r"|torch[/\\]export[/\\]pt2_archive[/\\]\S+ UserWarning: The given buffer is not writable"
    r"|torch[/\\]jit[/\\]_script\.py:\d+: DeprecationWarning: `torch\.jit\.(?:script|interface)`"
)


@dataclass(frozen=True)
class Problem:
    """Something wrong in one cell; `label` is its number and first line."""

    label: str
    text: str

    def __str__(self) -> str:
        return f"{self.label} -> {self.text}"


def problems(nb: NotebookNode, *, answers: str) -> list[Problem]:
    """Return everything in the outputs that a passed chapter may not have, in the order of the cells.

    `answers` is "untouched" or "solved". A problem is an error in a cell not tagged `raises-exception`; no error in
    one that is; a warning in a cell not tagged `shows-warning`; an exercise without a verdict, or with another
    verdict than `answers` demands.
    """
    modules = imported_exercises(nb)
    found = []
    for number, cell in enumerate(code_cells(nb), start=1):
        if cell.execution_count is None:
            break  # the run stopped before this cell
        found += [Problem(label(number, cell), text) for text in _wrong_with(cell, answers, modules)]
    return found


def _wrong_with(cell: NotebookNode, answers: str, modules: dict[str, str]) -> list[str]:
    errors = [output for output in cell.outputs if output.output_type == "error"]
    if errors and RAISES not in tags(cell):
        return [without_colours(f"{errors[0].ename}: {errors[0].evalue}")]
    texts = []
    if not errors and RAISES in tags(cell):
        texts.append("tagged `raises-exception`, but it raised nothing")
    if SHOWS_WARNING not in tags(cell):
        texts += [f"a warning: {text}" for text in _warnings(stream(cell, "stderr"))]
    if wants_answer(cell):
        texts += _wrong_verdicts(cell, answers, modules)
    return texts


def _warnings(text: str) -> list[str]:
    lines = [line for line in text.splitlines() if not NO_FAULT.search(line)]
    return [found[0] for line in lines if (found := WARNING.search(line))]


def _wrong_verdicts(cell: NotebookNode, answers: str, modules: dict[str, str]) -> list[str]:
    found = verdicts(cell)
    demanded = "passed" if answers == "solved" else "not attempted"
    expected = len(checked(cell.source, modules))
    if len(found) != max(expected, 1):
        return [f"{max(expected, 1)} exercise(s) to check, {len(found)} verdict(s) in the output"]
    return [
        f"exercise {verdict['exercise']}: {verdict['state']}, expected {demanded} with answers {answers}"
        for verdict in found
        if verdict["state"] != demanded
    ]


def verdicts(cell: NotebookNode) -> list[dict[str, str]]:
    """Return the verdicts that a cell's last lines gave: `{"exercise": name, "state": state}`.

    What `display` shows does not count: an answer could show a verdict that no check has given.
    """
    results = [output for output in cell.get("outputs", []) if output.output_type == "execute_result"]
    bundles = [output.get("data", {}) for output in results]
    return [bundle[MIME] for bundle in bundles if MIME in bundle]


def exercises(nb: NotebookNode) -> dict[str, int]:
    """Return `{"attempted", "passed", "total"}`; total counts the exercise and question cells, run or not."""
    cells = [cell for cell in code_cells(nb) if wants_answer(cell)]
    states = [verdict["state"] for cell in cells for verdict in verdicts(cell)]
    return {
        "attempted": sum(state != "not attempted" for state in states),
        "passed": states.count("passed"),
        "total": sum(max(1, len(checked(cell.source, imported_exercises(nb)))) for cell in cells),
    }


def traceback(nb: NotebookNode) -> str:
    """Return the first traceback that no tag announced, without colours; empty when there is none."""
    for cell in code_cells(nb):
        for output in cell.get("outputs", []):
            if output.output_type == "error" and RAISES not in tags(cell):
                return without_colours("\n".join(output.traceback))
    return ""
