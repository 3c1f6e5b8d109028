"""What is folded in a notebook: the metadata in which JupyterLab keeps it, and a merge of two people's folds."""

from nbformat import NotebookNode

HEADING = "jp-MarkdownHeadingCollapsed"  # what follows a heading, up to the next one of its level
_OF_CODE = ("source_hidden", "outputs_hidden")  # below `jupyter`
KINDS = (HEADING, *_OF_CODE)


def is_folded(cell: NotebookNode, kind: str) -> bool:
    """Return whether a cell has a fold of one of the KINDS.

    >>> is_folded(NotebookNode(metadata={"jupyter": {"source_hidden": True}}), "source_hidden")
    True
    """
    metadata = cell.metadata if kind == HEADING else cell.metadata.get("jupyter")
    return isinstance(metadata, dict) and metadata.get(kind) is True


def same_folds(first: NotebookNode, second: NotebookNode) -> bool:
    """Return whether two cells have the same folds."""
    return all(is_folded(first, kind) == is_folded(second, kind) for kind in KINDS)


def carry_folds(base: NotebookNode, mine: NotebookNode, into: NotebookNode) -> None:
    """Fold and unfold `into` as the learner has folded and unfolded `mine`, which was made from `base`.

    A fold that the learner left as it was follows the course.
    """
    for kind in KINDS:
        if (folded := is_folded(mine, kind)) != is_folded(base, kind):
            _fold(into, kind, folded)


def _fold(cell: NotebookNode, kind: str, folded: bool) -> None:
    if kind == HEADING:
        cell.metadata.pop(kind, None)
        cell.metadata.update({kind: True} if folded else {})
        return
    there = cell.metadata.get("jupyter")
    kept = {key: value for key, value in there.items() if key != kind} if isinstance(there, dict) else {}
    kept |= {kind: True} if folded else {}
    cell.metadata.pop("jupyter", None)  # JupyterLab leaves no empty one either
    if kept:
        cell.metadata["jupyter"] = NotebookNode(kept)
