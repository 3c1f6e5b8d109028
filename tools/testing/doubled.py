"""Notebooks whose code stands in them twice: Run All pressed again in the same kernel, for nbval to compare."""

import copy
from pathlib import Path

import nbformat


def double(book):
    """A notebook that runs all cells of `book`, then all of them again; what is stored is expected both times.

    Cell 50 of a chapter with 45 is so its cell 5, met a second time; a comment at its end says so.
    """
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    again = copy.deepcopy(code)
    for number, cell in enumerate(again, 1):
        cell["id"] = f"{cell['id']}-2"[-64:]
        if not cell.source.startswith("%%"):
            cell.source += f"\n# cell {number}, run a second time in the same kernel"
    return nbformat.from_dict({**book, "cells": code + again})


def write(chapters, folder):
    """The doubled notebooks of `chapters` in `folder`, under the same names; returns their paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for chapter in map(Path, chapters):
        written.append(folder / chapter.name)
        nbformat.write(double(nbformat.read(chapter, 4)), written[-1])
    return written
