"""The questions of the course, one module per notebook (its slug without the number).

Whoever imports one has the listeners: one notes progress, at the learner's desk only; one tells the page of an
instructor, only where the learner has joined it.
"""

from course_utils.checks.listeners import LISTENERS
from course_utils.classroom.listener import ClassroomListener
from course_utils.progress.listener import ProgressListener

LISTENERS.extend([ProgressListener(), ClassroomListener()])
