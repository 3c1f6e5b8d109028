"""The text of `nbgrader_config.py`: what nbgrader has to know of the course."""

NAME = "nbgrader_config.py"
OURS = "lessonkit.runner.environment"  # by which a file is known as one of ours, also one that was edited
TEXT = """\
# Written by `course nbgrader`, yours to edit: it is not written again. Call nbgrader in this folder, and from the
# course's own environment (.venv/bin/nbgrader): the notebooks are executed there.
import os
import sys

from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import ClearOutput

try:
    from lessonkit.runner.environment import kernel_environment
except ImportError:
    sys.exit(f"This nbgrader runs in {sys.prefix}, without the course: call the one in the course's .venv.")

# The course's data, this Python's kernel, no progress bars; and what is graded is no progress of your own.
os.environ.pop("MPLBACKEND", None)
os.environ.update(kernel_environment() | {"COURSE_PROGRESS": "0"})
# nbgrader calls alembic by its name, which is not found where the environment is not activated.
os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)])

c = get_config()  # noqa: F821
c.CourseDirectory.course_id = "pytorch"

# A stub stays as it stands above its solution, so nothing takes the solution's place.
c.ClearSolutions.code_stub = {"python": ""}
# The outputs of a chapter belong to its text. Those that give answers away are cleared already.
steps = GenerateAssignment.class_traits()["preprocessors"].default()
c.GenerateAssignment.preprocessors = [step for step in steps if step is not ClearOutput]

# Seconds: for a cell (the longest of ours needs 30 on two slow cores), a kernel's start, its last output.
c.Execute.timeout = 180
c.Execute.startup_timeout = 180
c.Execute.iopub_timeout = 30

# What a chapter writes as it runs is no part of the feedback.
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback", "results"]
"""
