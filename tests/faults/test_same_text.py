"""Every chapter writes the stored text on two threads, on one, and on a processor that rounds differently.

A soak keeps what it has executed in build/determinism, so that one which was stopped goes on with what is missing.
"""

import determinism
import faults
import nbformat
import pytest

from lessonkit.notebook import catalog, costs
from lessonkit.notebook.cells import code_cells, tags

CHAPTERS = [chapter.name for chapter in catalog.find()]
SECONDS = costs.seconds(CHAPTERS)
CHOSEN = CHAPTERS if faults.SOAK else [min(CHAPTERS, key=SECONDS.get)]


def cells_to_compare(name):
    """How many cells of a chapter the comparison takes: those whose output depends on no machine."""
    cells = code_cells(nbformat.read(catalog.NOTEBOOKS / f"{name}.ipynb", 4))
    return sum("nbval-ignore-output" not in tags(cell) for cell in cells)


# The steps `notebooks` and `imitated` of `make test` compare all on one thread and the first chapter imitated.
@pytest.mark.parametrize("way", determinism.WAYS if faults.SOAK else ["one thread"])
def test_the_text_is_the_stored_one(way, fault, tmp_path):
    goal = sum(map(cells_to_compare, CHAPTERS))
    with fault(f"text as stored, {way}", goal=goal, note="cells") as row:
        found = determinism.run(way, CHOSEN, jobs=2, out=determinism.OUT if faults.SOAK else tmp_path, resume=True)
        assert set(found) == set(CHOSEN)
        for name, one in found.items():
            if isinstance(one, str):
                row.count(f"{name}: {one}")
                continue
            differ = {difference.cell: difference for difference in one.differences}
            for _ in range(one.cells - len(differ)):
                row.count()
            for cell, (_, output, largest, stored, shown) in differ.items():
                size = "in more than numbers" if largest is None else f"by {largest:.2g} relative"
                row.count(f"{name}, {cell}, {output}, differs {size}: {stored!r} is stored, {shown!r} was found")
