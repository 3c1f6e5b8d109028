"""Tell a chapter's own demonstration of a check or a hint from what a learner tries."""

import sys

from lessonkit.progress.contents import contents
from lessonkit.system.errors import Refused


def demonstrated(*, passed: bool) -> bool:
    """Return whether the cell that runs now is the course's, and no exercise or question of it.

    A cell is known by its text, and by its id where the front end sends one (JupyterLab does). By the id alone, so
    edited by the learner, it counts as theirs if what it checks has `passed`. Outside a kernel there is no cell.
    """
    source, key = _running_cell()
    if source is None:
        return False
    try:
        ours = [cells for one in contents() for cells in one.demonstrations]
    except Refused:  # chapters that cannot be read show nothing; `course doctor` says so
        return False
    text = "".join(source.split())
    return any(text == known or (key == its_id and not passed) for its_id, known in ours)


def _running_cell():
    """Return the text of the cell that a kernel executes now and its id, None for what is not known."""
    module = sys.modules.get("ipykernel.zmqshell")  # not imported: then this is no kernel
    if module is None or not module.ZMQInteractiveShell.initialized():
        return None, None
    asked = module.ZMQInteractiveShell.instance().get_parent() or {}
    source, key = asked.get("content", {}).get("code"), asked.get("metadata", {}).get("cellId")
    return (source, key) if isinstance(source, str) else (None, None)
