"""What an executed notebook shows: problems, exercises answered, the slowest cell."""

import re
from dataclasses import dataclass

from course_utils.checks.verdict import MIME
from course_utils.notebook.solutions import checked, imported_exercises

WARNING = re.compile(r"\b\w*(?:Deprecation|Future|User)Warning: .*")  # PendingDeprecationWarning too
ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


@dataclass(frozen=True)
class Problem:
    """Something wrong in one cell; `label` is its number and first line."""

    label: str
    text: str

    def __str__(self) -> str:
        return f"{self.label} -> {self.text}"


def code_cells(nb) -> list:
    """The cells that are executed, in order; the one with injected parameters is not counted.

    Counted from 1, so a cell's number is the execution count it has after Run All.
    """
    return [
        cell
        for cell in nb.cells
        if cell.cell_type == "code" and cell.source.strip() and "injected-parameters" not in tags(cell)
    ]


def tags(cell) -> list[str]:
    return cell.metadata.get("tags", [])


def _asks(cell) -> bool:
    return bool({"exercise", "question"} & set(tags(cell)))


def label(number: int, cell) -> str:
    """`cell 7: first line` (at most 70 characters of it)."""
    return f"cell {number}: {cell.source.strip().splitlines()[0].strip()[:70]}"


def problems(nb, *, answers: str) -> list[Problem]:
    """Everything in the outputs that a passed chapter may not have, in the order of the cells.

    An error in a cell not tagged `raises-exception`; no error in one that is; a warning in a cell not tagged
    `shows-warning`; an exercise without a verdict, or with another verdict than `answers` demands.
    """
    modules = imported_exercises(nb)
    found = []
    for number, cell in enumerate(code_cells(nb), start=1):
        if cell.execution_count is None:
            break  # the run stopped before this cell
        found += [Problem(label(number, cell), text) for text in _wrong_with(cell, answers, modules)]
    return found


def _wrong_with(cell, answers: str, modules: dict[str, str]) -> list[str]:
    errors = [output for output in cell.outputs if output.output_type == "error"]
    if errors and "raises-exception" not in tags(cell):
        return [plain(f"{errors[0].ename}: {errors[0].evalue}")]
    texts = []
    if not errors and "raises-exception" in tags(cell):
        texts.append("tagged `raises-exception`, but it raised nothing")
    if "shows-warning" not in tags(cell):
        texts += [f"a warning: {text}" for text in WARNING.findall(stream(cell, "stderr"))]
    if _asks(cell):
        texts += _wrong_verdicts(cell, answers, modules)
    return texts


def _wrong_verdicts(cell, answers: str, modules: dict[str, str]) -> list[str]:
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


def verdicts(cell) -> list[dict]:
    """The verdicts that a cell's last lines gave: `{"exercise": name, "state": state}`.

    What `display` shows does not count: an answer could show a verdict that no check has given.
    """
    results = [output for output in cell.get("outputs", []) if output.output_type == "execute_result"]
    bundles = [output.get("data", {}) for output in results]
    return [bundle[MIME] for bundle in bundles if MIME in bundle]


def exercises(nb) -> dict[str, int]:
    """`{"attempted", "passed", "total"}`; total counts the exercise and question cells, run or not."""
    cells = [cell for cell in code_cells(nb) if _asks(cell)]
    states = [verdict["state"] for cell in cells for verdict in verdicts(cell)]
    return {
        "attempted": sum(state != "not attempted" for state in states),
        "passed": states.count("passed"),
        "total": sum(max(1, len(checked(cell.source, imported_exercises(nb)))) for cell in cells),
    }


def stream(cell, name: str) -> str:
    """Everything a cell wrote to `stdout` or `stderr`."""
    outputs = [output for output in cell.outputs if output.output_type == "stream" and output.name == name]
    return plain("".join(output.text for output in outputs))


def traceback(nb) -> str:
    """The first traceback that no tag announced, without colours; empty when there is none."""
    for cell in code_cells(nb):
        for output in cell.get("outputs", []):
            if output.output_type == "error" and "raises-exception" not in tags(cell):
                return plain("\n".join(output.traceback))
    return ""


def plain(text: str) -> str:
    """`text` without ANSI colours."""
    return ANSI.sub("", text)
