"""The request handlers of the classroom page, for the instructor's browser, learners' kernels and anybody else."""

import re
from pathlib import Path
from string import Template
from typing import NoReturn

from tornado.escape import xhtml_escape
from tornado.web import HTTPError, RequestHandler, StaticFileHandler

from lessonkit.reporting.client import proof
from lessonkit.reporting.membership import about_code, code_of
from lessonkit.teach.classroom import export
from lessonkit.teach.classroom.rate_limit import Buckets
from lessonkit.teach.classroom.report_parser import Unfit, note_in, parse
from lessonkit.teach.classroom.state import ClassroomState, Full
from lessonkit.teach.classroom.tokens import Tokens

PAGE = Path(__file__).with_name("page")
JOIN_LINE = 'from lessonkit.reporting.join import join, note; join("{host}/{code}")'
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' ws://{host}; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class Guarded(RequestHandler):
    """Every answer: a host that is this machine's, headers that forbid what no page here needs, errors in words."""

    @property
    def tokens(self) -> Tokens:
        """The tokens and names of this classroom."""
        return self.application.settings["tokens"]

    def prepare(self) -> None:
        """Refuse requests made under a foreign name."""
        if not self.tokens.knows(self.request.host_name):
            self.refuse(403, "This page answers under an address of its machine only.")
        self.set_header("Content-Security-Policy", _POLICY.format(host=self.request.host))

    def set_default_headers(self) -> None:
        """Say nothing of the server, keep nothing, tell nobody."""
        self.clear_header("Server")
        for name, value in {
            "Cache-Control": "no-store",
            "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",  # of a refusal
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
        }.items():
            self.set_header(name, value)

    def refuse(self, status: int, sentence: str) -> NoReturn:
        """End the request with a sentence."""
        raise HTTPError(status, reason=sentence)

    def write_error(self, status_code: int, **named: object) -> None:
        """Write the sentence of `refuse`, as plain text."""
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(f"{self._reason}\n")

    def log_exception(self, kind: object, error: object, traceback: object) -> None:
        """Log faults of ours; a refusal is no news, and there may be many."""
        if not isinstance(error, HTTPError):
            super().log_exception(kind, error, traceback)

    @property
    def cookie(self) -> str:
        """The name of the instructor's cookie: a browser keeps one set of cookies for all ports of a machine."""
        return f"classroom-{self.application.settings['port']}"

    def instructor_only(self) -> None:
        """Refuse whoever has not come with the instructor's token."""
        if not self.tokens.is_instructor(self.get_cookie(self.cookie, "")):
            self.refuse(403, "Open the page by the address that `course classroom` printed for you.")


class Home(Guarded):
    """The instructor's page.

    The token in the address becomes a cookie, so that it is not shown on the wall or kept.
    """

    def get(self) -> None:
        """Show the page, or take the token."""
        token = self.get_query_argument("token", None)
        if token is None:
            self.instructor_only()
            self.set_header("Content-Type", "text/html; charset=utf-8")
            self.finish((PAGE / "index.html").read_bytes())
        elif self.tokens.is_instructor(token):
            self.set_cookie(self.cookie, token, httponly=True, samesite="Lax")
            self.redirect("/")
        else:
            self.refuse(403, "That is not the token of this page: use the address that `course classroom` printed.")


class Table(Guarded):
    """The room as CSV."""

    def initialize(self, room: ClassroomState) -> None:
        """Take the room."""
        self._room = room

    def get(self) -> None:
        """Send the file; it begins with a mark by which spreadsheets know UTF-8."""
        self.instructor_only()
        self.set_header("Content-Type", "text/csv; charset=utf-8")
        self.set_header("Content-Disposition", 'attachment; filename="classroom.csv"')
        self.finish(export.table(self._room).encode("utf-8-sig", "replace"))


class Invitation(Guarded):
    """What a learner sees who opens the address to join in a browser: the line for a cell."""

    def get(self, token: str) -> None:
        """Show the line to those who have the token."""
        if not self.tokens.is_learner(token):
            self.refuse(403, "No classroom has this address: ask for today's.")
        self.show()

    def show(self) -> None:
        """Write the page."""
        line = JOIN_LINE.format(host=self.request.host, code=self.tokens.code)
        self.set_header("Content-Type", "text/html; charset=utf-8")
        text = (PAGE / "invitation.html").read_text(encoding="utf-8")
        address = f"{self.request.host}/{self.tokens.code}"
        self.finish(Template(text).substitute(line=xhtml_escape(line), address=xhtml_escape(address)))


class Code(Invitation):
    """The short address: in a browser the invitation, for a kernel the learners' token."""

    def initialize(self, tries: Buckets, everybody: Buckets) -> None:
        """Take how often one address, and all of them together, may try a code."""
        self._tries, self._everybody = tries, everybody

    def get(self, typed: str) -> None:
        """Answer to the right code."""
        if not code_of(typed):
            self.refuse(404, f"There is nothing at this address{about_code(typed)}.")
        if not self._tries.take(self.request.remote_ip) or not self._everybody.take(""):
            self.refuse(429, "Too many codes were tried: wait a minute, then look at the code again.")
        if not self.tokens.is_code(typed):
            self.refuse(403, "No classroom has this code: ask for today's.")
        if "json" in self.request.headers.get("Accept", ""):
            self.finish({"token": self.tokens.learners})
        else:
            self.show()


class Mine(Guarded):
    """A learner's own page, with the two notes; its address has the number that the learner has drawn."""

    def initialize(self, room: ClassroomState, learners: Buckets) -> None:
        """Take the room and how much one learner may tell."""
        self._room, self._learners = room, learners

    def get(self, learner: str) -> None:
        """Show the page to a learner who has joined."""
        if learner not in self._room.learners:
            self.refuse(403, "Nobody with this number has joined the room: join first.")
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish((PAGE / "notes.html").read_bytes())

    def post(self, learner: str) -> None:
        """Change the note, if anything is said of it; answer with the one that is on the page then."""
        if self.request.headers.get("Origin") != f"{self.request.protocol}://{self.request.host}":
            self.refuse(403, "Only the page at this address changes the note.")
        if learner not in self._room.learners:
            self.refuse(403, "Nobody with this number has joined the room: join first.")
        if not self._learners.take(learner):
            self.refuse(429, "Too many notes of this learner.")
        try:
            wanted = note_in(self.request.body)
        except Unfit as error:
            self.refuse(400, str(error))
        if wanted is not None:
            self._room.put_note(learner, wanted)
        self.finish({"note": self._room.learners[learner].note})


class Notes(Guarded):
    """Takes all notes off, for the instructor."""

    def initialize(self, room: ClassroomState) -> None:
        """Take the room."""
        self._room = room

    def post(self) -> None:
        """Take them off, if the instructor's own page asks."""
        self.instructor_only()
        if self.request.headers.get("Origin") != f"{self.request.protocol}://{self.request.host}":
            self.refuse(403, "Only the instructor's own page can remove the notes.")
        self.finish({"taken off": self._room.take_notes_off()})


class Hello(Guarded):
    """Proves to a kernel that this is the room which its learner has joined."""

    def get(self, nonce: str) -> None:
        """Answer with the proof; the token itself is not said."""
        self.finish({"proof": proof(self.tokens.learners, nonce)})


class Reports(Guarded):
    """Takes what kernels tell."""

    def initialize(self, room: ClassroomState, addresses: Buckets, learners: Buckets) -> None:
        """Take the room and how much one address, and one learner, may tell."""
        self._room, self._addresses, self._learners = room, addresses, learners

    def post(self) -> None:
        """Take in one report."""
        if not self._addresses.take(self.request.remote_ip):
            self.refuse(429, "Too many requests from this address.")
        sent = re.fullmatch(r"Bearer (\S{1,100})", self.request.headers.get("Authorization", ""))
        if not sent or not self.tokens.is_learner(sent[1]):
            self.refuse(403, "That is not the token of this classroom: ask for today's address.")
        if "Origin" in self.request.headers or "json" not in self.request.headers.get("Content-Type", ""):
            self.refuse(403, "Reports come from a kernel, as JSON, not from a page.")
        try:
            report = parse(self.request.body)
            if not self._learners.take(report.learner, 1 + len(report.events)):
                self.refuse(429, "Too many reports of this learner.")
            self._room.take(report)
        except Unfit as error:
            self.refuse(400, str(error))
        except Full as error:
            self.refuse(429, str(error))
        self.finish({"taken": len(report.events)})


class Static(Guarded, StaticFileHandler):
    """The page's script and style; no secret is in them."""


class Nothing(Guarded):
    """Every other address."""

    def prepare(self) -> None:
        """Say so."""
        super().prepare()
        self.refuse(404, "There is nothing at this address.")
