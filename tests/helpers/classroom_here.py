"""A classroom in this process: its server in a thread, on the loopback address, with two small chapters."""

import asyncio
import contextlib
import threading
from types import SimpleNamespace

import pytest

from lessonkit.teach.classroom import server
from lessonkit.teach.classroom.questions import Question
from lessonkit.teach.classroom.state import ClassroomState

QUESTIONS = [
    Question("01_tensors", "survives", False, {"within_range": "You looked at the range only."}),
    Question("01_tensors", "windows", True, {}),
    Question("05_training", "train_step", False, {"never_zeroed": "You never zeroed the gradients."}),
]


@contextlib.contextmanager
def open_room(asked=QUESTIONS, **settings):
    """Yield `room`, `opened` (the Classroom) and `said`, what the instructor is told."""
    room, said = ClassroomState(asked), []
    opened = server.opened(room, **{"address": "127.0.0.1", "port": 0, "keep": None, "stuck": 600.0} | settings)
    loop = asyncio.new_event_loop()
    serving = loop.create_task(server.serve(opened, tell=said.append))

    def run():
        asyncio.set_event_loop(loop)
        with contextlib.suppress(asyncio.CancelledError):
            loop.run_until_complete(serving)
        loop.close()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield SimpleNamespace(room=room, opened=opened, said=said)
    finally:
        loop.call_soon_threadsafe(serving.cancel)
        thread.join(60)
        assert not thread.is_alive()


@pytest.fixture(scope="session")
def questions():
    return QUESTIONS


@pytest.fixture
def classroom():
    with open_room() as opened:
        yield opened
