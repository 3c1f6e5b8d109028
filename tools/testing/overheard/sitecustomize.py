"""Notes every deprecation in this process and in those it starts; changes nothing of what they show.

With this folder on PYTHONPATH each Python imports this module as it starts: kernels, ranks, workers, torchrun.
Where `COURSE_DEPRECATIONS` names a folder, every DeprecationWarning, PendingDeprecationWarning or FutureWarning
becomes a line of JSON in a file of the process there, be it shown, ignored (Python's default) or raised by C.
`tools/testing/deprecations.py` reads them.

It is a filter that stands first and matches nothing: PYTHONWARNINGS could only show warnings, in outputs that tests
compare, and a function in the place of `warnings.warn` would miss those of C and stand in each stack.
"""

import json
import os
import sys
import threading
import warnings

FOLDER = os.environ.get("COURSE_DEPRECATIONS")
KINDS = (DeprecationWarning, PendingDeprecationWarning, FutureWarning)
OFTEN = 20  # one process writes the same deprecation down as often as this
HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 (nothing heavier than os at each start)
COURSE = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))  # noqa: PTH120
FOLDERS = ("course_utils", "lessonkit", "torch_clinic", "scripts")
OURS = tuple(os.path.join(COURSE, name) + os.sep for name in FOLDERS)  # noqa: PTH118


class First(list):
    """Filters of which the first stays the first: others come behind it, and no copy or reset loses it."""

    def insert(self, index, item):
        super().insert(max(index, 1), item)

    def __getitem__(self, index):
        found = super().__getitem__(index)
        return First(found) if isinstance(index, slice) else found

    def __setitem__(self, index, item):
        if index == slice(None):  # warnings.resetwarnings()
            item = [super().__getitem__(0), *item]
        super().__setitem__(index, item)


class Heard(threading.local):
    """What the filter was asked, piece by piece: the message, the module, then the category."""

    def __init__(self):
        self.text = self.module = None
        self.busy = False


class Message:
    def match(self, text):
        heard.text = str(text)
        return True


class Module:
    def match(self, name):
        heard.module = str(name)
        return True


class Category(type):
    def __subclasscheck__(cls, category):
        if issubclass(category, KINDS) and not heard.busy:
            heard.busy = True  # what raises a warning while this one is written down is not asked again
            try:
                note(category, sys._getframe(1))
            finally:
                heard.busy = False
        return False


class Nothing(metaclass=Category):
    """The category of the filter: of no warning, but each is asked."""


def note(category, frame):
    """Write a deprecation down: what, by whose call, where the course is on the stack, where it was raised."""
    raised, course, cell = None, None, None
    while frame is not None:
        file = frame.f_code.co_filename
        place = f"{file}:{frame.f_lineno}"
        if raised is None and not file.startswith("<"):
            raised = place
        if course is None and file.startswith(OURS):
            course = place
        if cell is None and is_cell(frame):
            cell = place
        frame = frame.f_back
    key = (category.__name__, heard.text, heard.module, course)
    times[key] = times.get(key, 0) + 1
    if times[key] > OFTEN:
        return
    line = {
        "kind": category.__name__,
        "text": heard.text,
        "module": heard.module,
        "raised": raised,
        "course": course,
        "cell": cell,
        "run": os.environ.get("COURSE_RUN", ""),
        "process": role(),
    }
    with open(os.path.join(FOLDER, f"{os.getpid()}.jsonl"), "a", encoding="utf-8") as file:  # noqa: PTH118, PTH123
        file.write(json.dumps(line) + "\n")


def is_cell(frame):
    """Whether a frame is a cell's: by the name of its file in the kernel, or in a rank that got its function."""
    file = frame.f_code.co_filename
    folder = os.path.basename(os.path.dirname(file))  # noqa: PTH119, PTH120
    of_kernel = folder.startswith("ipykernel_") and folder.removeprefix("ipykernel_").isdigit()
    return of_kernel or file.startswith("<cell of ")


def role():
    """Which process this is: by its command, and by what multiprocessing calls it."""
    words = getattr(sys, "orig_argv", [])
    if any("course_utils.ranks" in word for word in words):
        kind = "a rank"
    elif any("ipykernel" in word for word in words):
        kind = "the kernel"
    else:
        kind = os.path.basename(sys.argv[0]) if getattr(sys, "argv", None) else "python"  # noqa: PTH119
    known = sys.modules.get("multiprocessing.process")
    name = known.current_process().name if known else "MainProcess"
    return kind if name == "MainProcess" else f"{name} of {kind}"


if FOLDER:
    heard, times = Heard(), {}
    warnings.filters = First([("ignore", Message(), Nothing, Module(), 0), *warnings.filters])
    warnings._filters_mutated()
