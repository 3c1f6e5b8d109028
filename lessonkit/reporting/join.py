"""Join an instructor's page, or leave it, from a cell; `course join` does the same in a terminal.

The line that learners paste imports this module by its name, so it stays where it is.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from lessonkit.desk.folder import work_folder
from lessonkit.progress.listener import in_ci
from lessonkit.reporting import client, membership
from lessonkit.reporting.client import is_loopback
from lessonkit.reporting.membership import Membership
from lessonkit.reporting.nickname import LONGEST, cleaned
from lessonkit.system.errors import Refused

_TERMS = """From now on the page would be told, at each check:
  - {who}
  - the chapter and the exercise, such as training, train_step
  - the verdict, such as "passed"; of a mistake that the course knows, its name
Besides that only a note that you put up yourself, "help" or "done".
Never your code, nor what it prints, nor any other text. {way}
Your checks do not wait for it, and you can end it at any time."""
_NOTES = """To call for help, or to say that you are done: `course note help`, `course note done`, in a
cell `note("help")`, or the two buttons of your own page:
{page}"""
NOTES = ("help", "done")
LEAVE = "from lessonkit.reporting.join import leave; leave()"


def join(address: str, nickname: str | None = None) -> None:
    """Ask whether this notebook's checks may be told to the page at `address`; remember the answer if it is yes.

    `nickname`: what the page shows, "" for none; asked for unless given. In a cell, without a terminal. Raises
    nothing: what stands in the way is printed.
    """
    try:
        enter(address, nickname, ask=input, work=work_folder(), folder=Path.cwd())
    except Refused as error:
        print(f"Not joined: {error}.")
    except (EOFError, NotImplementedError):  # the latter is a kernel's word for "nobody is there to answer"
        print("Not joined: here nobody can be asked. In a terminal, `course join` does the same.")


def leave() -> None:
    """Tell the page nothing any more, from any notebook. Raises nothing: what stands in the way is printed."""
    try:
        print(left())
    except Refused as error:
        print(f"Not left: {error}.")


def enter(
    address: str, nickname: str | None, *, ask: Callable[[str], str], work: Path, folder: Path
) -> Membership | None:
    """Say what would be told, ask, and keep the yes; return it, None for a no.

    `work`: where it is kept. `folder`: kernels started there report, besides those started in `work`.
    Raises `Refused` for an address or a nickname that cannot be used, a page that does not answer, and in CI.
    """
    if in_ci():
        raise Refused("CI is set, so nobody sits here who could say yes")
    try:
        before = membership.read(work)
    except Refused:
        before = None  # damaged: what is kept now takes its place
    where = membership.parsed(address)  # a wrong address is said before all else
    if before and _same_room(before, where) and nickname in (None, before.nickname):
        return _still(replace(before, folder=str(folder)), work)
    where = _told(where, lambda: client.found(where))
    asked = membership.member(where, folder=folder, before=before)
    _told(asked, lambda: client.greet(asked))
    print(f"{asked.page} is a page on your instructor's machine. It is told nothing before you say yes.")
    if nickname is None:
        nickname = ask(f"A nickname to show there, at most {LONGEST} characters (Enter for none): ")
    wanted = replace(asked, nickname=cleaned(nickname))
    if (length := len(" ".join(nickname.split()))) > LONGEST:
        print(f"The nickname has {length} characters, so it is cut to {LONGEST}.")
    who = f'the nickname "{wanted.nickname}"' if wanted.nickname else "no name: there you are a number"
    way = "It stays on this machine." if is_loopback(wanted.host) else "It goes over the network, unencrypted."
    print(_TERMS.format(who=who, way=way))
    if ask("Tell it? (yes or no) ").strip().casefold() not in ("y", "yes"):
        print(_refused(before))
        return None
    _told(wanted, lambda: client.send(wanted, []))
    membership.keep(work, wanted)
    print(f"Joined {_shown(wanted)}. To end it, `course leave`, or in a cell:\n{LEAVE}")
    print(_NOTES.format(page=wanted.notes_page))
    return wanted


def note(what: str = "") -> None:
    """Put a note on your instructor's page, `note("help")` or `note("done")`; `note()` takes it off again.

    Raises nothing: what stands in the way is printed.
    """
    try:
        print(noted(what, work_folder()))
    except Refused as error:
        print(f"No note: {error}.")


def noted(what: str, work: Path) -> str:
    """Tell the page that is joined in a work folder of the note; return a sentence. Raises `Refused`."""
    if what not in ("", *NOTES):
        raise Refused(f'{what!r} is no note; there are {" and ".join(NOTES)}, and "" takes one off')
    if in_ci():
        raise Refused("CI is set, so nobody sits here")
    now = membership.read(work)
    if now is None:
        raise Refused("you have joined no classroom; `course join` and the instructor's address do that")
    _told(now, lambda: (client.greet(now), client.send(now, [], note=what)))
    return f"Your note on the page is now: {what}." if what else "Your note is off the page."


def _same_room(before, where):
    place = (before.host, before.port) == (where.host, where.port)
    return place and (where.token == before.token if where.token else where.code == before.code)


def _refused(before):
    """Return what a no means: whoever has joined a room stays in that one, under the name there."""
    if before is None:
        return "Not joined: nothing is told."
    return f"Nothing has changed: you are still joined to {_shown(before)}; `course leave` ends that."


def _still(before, work):
    # A cell that joins may stand in a notebook, and be run with all the others: nothing is asked again.
    membership.keep(work, before)
    print(f"You have joined {_shown(before)} already. To end it, `course leave`, or in a cell:\n{LEAVE}")
    return before


def _shown(one):
    return f'{one.page} as "{one.nickname}"' if one.nickname else f"{one.page} without a name"


def left() -> str:
    """Forget the page of this work folder; return a sentence about it. Raises `Refused`."""
    if membership.forget(work_folder()):
        return "Left: nothing is told any more. What the page was told stays there until it is closed."
    return "You have not joined a classroom, so nothing is reported."


def _told(wanted, how):
    """Return what `how` does; `wanted` names the page. Raises `Refused` where the page cannot be told."""
    try:
        return how()
    except client.Away as error:
        raise Refused(
            f"the page at http://{wanted.host}:{wanted.port} cannot be told ({error}). Is the address right, is "
            "the page still open, and are you in the same network?"
        ) from None
