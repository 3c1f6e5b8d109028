"""Push updates to the instructor's open pages: the whole state first, then its changes, four times a second."""

import asyncio
import json
import time
from collections.abc import Callable

from tornado.iostream import StreamClosedError
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from lessonkit.teach.classroom.handlers import Guarded
from lessonkit.teach.classroom.state import ClassroomState

EVERY = 0.25  # seconds
MOST_PAGES = 20


class Pages:
    """All that are open, and what they are told: `about` is what does not change, such as the exercises' names."""

    def __init__(self, room: ClassroomState, about: dict) -> None:
        self.open: set[Live] = set()
        self._room, self._about = room, about

    def whole(self) -> str:
        """Return the first message."""
        return json.dumps({"about": self._about, **self._room.everything()})

    def tell(self) -> bool:
        """Tell every page what has changed; return whether anything has."""
        changes = self._room.changes()
        if changes is not None:
            message = json.dumps(changes)
            for page in list(self.open):
                page.offer(message)
        return changes is not None

    async def run(self, keep: Callable[[], None], every: float) -> None:
        """Tell what changes until cancelled; `keep` is called after changes, once in `every` seconds at most."""
        unkept, kept = False, time.monotonic()
        while True:
            await asyncio.sleep(EVERY)
            unkept |= self.tell()
            if unkept and time.monotonic() - kept > every:
                keep()
                unkept, kept = False, time.monotonic()


class Live(Guarded, WebSocketHandler):
    """One open page. A page that reads slowly is told all once more when it has read what is under way."""

    def initialize(self, pages: Pages) -> None:
        """Join the pages."""
        self._pages, self._busy, self._behind = pages, False, False

    async def get(self) -> None:
        """Let in the instructor's own pages only."""
        self.instructor_only()
        if len(self._pages.open) >= MOST_PAGES:
            self.refuse(429, f"{MOST_PAGES} pages are open already: close one.")
        await super().get()

    def check_origin(self, origin: str) -> bool:
        """Return whether the page that asks is one of this server's."""
        return origin == f"{self.request.protocol}://{self.request.host}"

    def open(self) -> None:
        """Tell all."""
        self._pages.open.add(self)
        self.offer(self._pages.whole())

    def on_message(self, message: str | bytes) -> None:
        """Close a page that talks: ours says nothing."""
        self.close(1008, "nothing is expected here")

    def on_close(self) -> None:
        """Forget the page."""
        self._pages.open.discard(self)

    def offer(self, message: str) -> None:
        """Send a message, or note that the page is behind."""
        if self._busy:
            self._behind = True
        else:
            self._busy = True
            self._sending = asyncio.ensure_future(self._send(message))

    async def _send(self, message):
        try:
            await self.write_message(message)
            while self._behind:
                self._behind = False
                await self.write_message(self._pages.whole())
        except (WebSocketClosedError, StreamClosedError):
            self._pages.open.discard(self)
        finally:
            self._busy = False
