"""The server of the classroom page: it listens at one address until it is stopped."""

import asyncio
import contextlib
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application

from lessonkit.checks.verdict import STATES
from lessonkit.reporting.client import MOST_BYTES, is_loopback
from lessonkit.system.errors import Refused
from lessonkit.teach.classroom import handlers, state_file
from lessonkit.teach.classroom.live import Live, Pages
from lessonkit.teach.classroom.rate_limit import Buckets
from lessonkit.teach.classroom.state import ClassroomState
from lessonkit.teach.classroom.tokens import Tokens, learners_token, own_names

KEEP_EVERY = 20.0  # seconds between two writings of the kept file
USUAL_PORT = 8700  # easy to say, and usual for nothing else here
EVERYWHERE = ("0.0.0.0", "::", "")


@dataclass(frozen=True)
class Classroom:
    """A room that is open: its sockets, its tokens, and the address that others reach it by."""

    room: ClassroomState
    sockets: list[socket.socket]
    tokens: Tokens
    host: str
    port: int
    keep: Path | None
    stuck: float  # seconds

    @property
    def shown(self) -> str:
        """Host and port as an address has them."""
        return f"{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"

    @property
    def instructors_address(self) -> str:
        """Where the instructor sees the room; the token in it is for nobody else."""
        return f"http://{self.shown}/?token={self.tokens.instructor}"

    @property
    def join_line(self) -> str:
        """What learners paste into a cell."""
        return handlers.JOIN_LINE.format(host=self.shown, code=self.tokens.code)

    @property
    def short_address(self) -> str:
        """What is read aloud, and what learners give to `course join` or open in a browser."""
        return f"{self.shown}/{self.tokens.code}"

    @property
    def join_address(self) -> str:
        """The same place under the learners' whole token, for programs."""
        return f"http://{self.shown}/join/{self.tokens.learners}"


def opened(room: ClassroomState, *, address: str, port: int | None, keep: Path | None, stuck: float) -> Classroom:
    """Bind the address, and fill the room with what `keep` holds.

    `port` 0: that of the kept room, else a free one; None: the same, but USUAL_PORT before a free one. Raises
    `Refused` for an address that cannot be bound, and for a file to keep the room in that holds something else or
    cannot be written.
    """
    before = state_file.load(keep, room) if keep else None
    token, wanted = before or (learners_token(), 0)
    try:
        sockets = _bound(address) if port is None and not wanted else bind_sockets(port or wanted, address)
    except OSError as error:
        there = ", ".join([*loopback_addresses(), *network_addresses()])
        hint = f"this machine has {there}; another program may have that port"
        raise Refused(f"cannot listen at {address}, port {port or wanted}: {error.strerror}; {hint}") from None
    host = next(iter(network_addresses()), "127.0.0.1") if address in EVERYWHERE else address
    tokens = Tokens(token, names=own_names(address))
    made = Classroom(room, sockets, tokens, host, sockets[0].getsockname()[1], keep, stuck)
    if keep:
        try:
            _save(made)
        except OSError as error:
            raise Refused(f"{keep} cannot be written ({error.strerror}); give another --keep") from None
    return made


def _bound(address):
    try:
        return bind_sockets(USUAL_PORT, address)
    except OSError:
        return bind_sockets(0, address)


def loopback_addresses() -> list[str]:
    """Return the addresses under which this machine can speak to itself: 127.0.0.1 and ::1, where it has them."""
    found = {one.address for addresses in psutil.net_if_addrs().values() for one in addresses}
    return [address for address in ("127.0.0.1", "::1") if address in found]


def network_addresses() -> list[str]:
    """Return this machine's own addresses (IPv4) in its networks."""
    found = (one for addresses in psutil.net_if_addrs().values() for one in addresses)
    return [one.address for one in found if one.family == socket.AF_INET and not is_loopback(one.address)]


def application(classroom: Classroom, pages: Pages) -> Application:
    """Return what answers at the classroom's address."""
    room = {"room": classroom.room}
    # A school's learners may share one address, and one learner has a few kernels.
    limits = {"addresses": Buckets(rate=200, burst=1000), "learners": Buckets(rate=40, burst=400)}
    # Three million codes, of which all addresses together try five a second: days for half of them.
    tries = {"tries": Buckets(rate=1, burst=60), "everybody": Buckets(rate=5, burst=300)}
    return Application(
        [
            (r"/", handlers.Home),
            (r"/live", Live, {"pages": pages}),
            (r"/classroom.csv", handlers.Table, room),
            (r"/join/([a-z0-9-]{1,64})", handlers.Invitation),
            (r"/hello/([0-9a-f]{32})", handlers.Hello),
            (r"/report", handlers.Reports, room | limits),
            (r"/me/([0-9a-f]{32})", handlers.Mine, room | {"learners": limits["learners"]}),
            (r"/notes", handlers.Notes, room),
            (r"/static/([a-z]+\.(?:js|css|svg))", handlers.Static, {"path": handlers.PAGE}),
            (r"/((?:[A-Za-z]|-|%20){6,20})", handlers.Code, tries),
        ],
        default_handler_class=handlers.Nothing,
        tokens=classroom.tokens,
        port=classroom.port,
        log_function=_only_faults,
        websocket_ping_interval=20,
        websocket_max_message_size=1024,
    )


def _only_faults(handler):
    if handler.get_status() >= 500:
        print(
            f"{handler.request.method} {handler.request.path} failed. This is an error of the course; please "
            "report it."
        )


async def serve(classroom: Classroom, *, tell: Callable[[str], None]) -> None:
    """Answer until cancelled, then keep the room if asked to. `tell` gets what the instructor is to read."""
    pages = Pages(classroom.room, _about(classroom))
    server = HTTPServer(
        application(classroom, pages),
        max_body_size=MOST_BYTES,
        max_header_size=16 << 10,
        idle_connection_timeout=30,
        body_timeout=10,
    )
    server.add_sockets(classroom.sockets)
    try:
        await pages.run(lambda: _keep(classroom, tell), KEEP_EVERY)
    finally:
        server.stop()
        for page in list(pages.open):
            page.close(1001, "the classroom is closed")
        _keep(classroom, tell)
        with contextlib.suppress(asyncio.TimeoutError, asyncio.CancelledError):
            await asyncio.wait_for(server.close_all_connections(), 2)


def _keep(classroom, tell):
    if classroom.keep:
        try:
            _save(classroom)
        except OSError as error:
            tell(f"{classroom.keep} cannot be written ({error.strerror}): the room is not kept.")


def _save(classroom):
    state_file.save(classroom.keep, classroom.room, token=classroom.tokens.learners, port=classroom.port)


def _about(classroom):
    questions = [
        {"chapter": one.chapter, "exercise": one.exercise, "further": one.further, "mistakes": one.mistakes}
        for one in classroom.room.questions
    ]
    join = {"join": classroom.join_line, "short": classroom.short_address}
    return {"questions": questions, "states": STATES, "stuck": classroom.stuck, **join}
