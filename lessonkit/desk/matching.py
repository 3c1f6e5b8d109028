"""Match the cells of two versions of a notebook: by id, by exercise, or by content."""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from nbformat import NotebookNode

CHECK = re.compile(r"\b\w+\.(\w+)\.check\(")  # by pattern, not by syntax: an answer may be half typed
QUESTION = re.compile(r"""\bask\(\s*["']([^"']+)["']""")

Rule = Callable[[NotebookNode], Iterable[object]]  # the keys under which a cell can be found


def content(cell: NotebookNode) -> tuple[str, str, str]:
    """Return what a person sees to have typed in a cell: its type, its text, its pasted pictures."""
    return cell.cell_type, cell.source, json.dumps(cell.get("attachments", {}), sort_keys=True)


def names(cell: NotebookNode) -> list[str]:
    """Return the exercises that a cell checks and the questions that it answers, sorted."""
    if cell.cell_type != "code":
        return []
    asked = [f"ask {name}" for name in QUESTION.findall(cell.source)]
    return sorted({*CHECK.findall(cell.source), *asked})


def was_set_aside(cell: NotebookNode) -> bool:
    """Return whether an update has put a learner's text into this cell of its own; it is no cell of the course."""
    ours = cell.metadata.get("course")
    return isinstance(ours, dict) and "yours" in ours


def _by_id(cell: NotebookNode) -> list[object]:
    return [cell["id"]] if cell.get("id") else []


def _by_id_and_name(cell: NotebookNode) -> list[object]:
    return [(key, name) for key in _by_id(cell) for name in names(cell)]


def _by_content(cell: NotebookNode) -> list[object]:
    return [content(cell)] if cell.source.strip() else []


# An exercise is its name, even if it has moved to another cell; any other cell is its id, and contents find those
# whose ids an editor lost.
RULES: tuple[Rule, ...] = (_by_id_and_name, names, _by_id, _by_content)


def pairs(old: Sequence[NotebookNode], new: Sequence[NotebookNode]) -> dict[int, int]:
    """Return position in `old` -> position in `new` of each cell that is in both; earlier RULES win.

    Of several that fit (a cell duplicated with its id), the first is taken.
    """
    found: dict[int, int] = {}
    for rule in RULES:
        taken = set(found.values())
        waiting = defaultdict(list)
        for position, cell in enumerate(new):
            if position not in taken and not was_set_aside(cell):
                for key in rule(cell):
                    waiting[key].append(position)
        for position, cell in enumerate(old):
            keys = rule(cell) if position not in found else ()
            free = [there for key in keys for there in waiting[key] if there not in taken]
            if free:
                found[position] = free[0]
                taken.add(free[0])
    return found
