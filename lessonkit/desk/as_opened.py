"""A chapter as a learner opens it: without outputs, and so that JupyterLab has nothing to change in it."""

import copy
import sys

from nbformat import NotebookNode

from lessonkit.desk.merge_base import pristine

# What a kernel says of its language. A copy that lacks it is changed, and so "unsaved", as soon as it is opened.
LANGUAGE = {
    "codemirror_mode": {"name": "ipython", "version": 3},
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "nbconvert_exporter": "python",
    "pygments_lexer": "ipython3",
    "version": ".".join(map(str, sys.version_info[:3])),
}


def as_opened(chapter: NotebookNode) -> NotebookNode:
    """Return a chapter as a learner opens it: without outputs, without numbers of executions."""
    copied = pristine(chapter)
    if copied.metadata.get("language_info", {}).get("name") == LANGUAGE["name"]:
        copied.metadata["language_info"] = NotebookNode(copy.deepcopy(LANGUAGE))
    return copied
