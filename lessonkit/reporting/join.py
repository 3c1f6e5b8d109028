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
from lessonkit.reporting.nickname import LONGEST
from lessonkit.system.errors import Refused

_TERMS = """From now on the page would be told, at each check:
  - {who}
  - the chapter and the exercise, such as training, train_step
  - the verdict, such as "passed"; of a mistake that the course knows, its name
Never your code, nor what it prints, nor any other text. {way}
Your checks do not wait for it, and you can end it at any time."""
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
    asked = membership.member(address, folder=folder, before=before)  # a wrong address is said before all else
    if before and asked.learner == before.learner and nickname in (None, before.nickname):
        return _still(replace(before, folder=asked.folder), work)
    _tell(asked, lambda: client.greet(asked))
    print(f"{asked.page} is a page on your instructor's machine. It is told nothing before you say yes.")
    if nickname is None:
        nickname = ask(f"A nickname to show there, at most {LONGEST} characters (Enter for none): ")
    if len(nickname.strip()) > LONGEST:
        raise Refused(f"the nickname has {len(nickname.strip())} characters; at most {LONGEST} are shown")
    wanted = membership.member(address, nickname, folder=folder, before=before)
    who = f'the nickname "{wanted.nickname}"' if wanted.nickname else "no name: there you are a number"
    way = "It stays on this machine." if is_loopback(wanted.host) else "It goes over the network, unencrypted."
    print(_TERMS.format(who=who, way=way))
    if ask("Tell it? (yes or no) ").strip().casefold() not in ("y", "yes"):
        print("Not joined: nothing is told.")
        return None
    _tell(wanted, lambda: client.send(wanted, []))
    membership.keep(work, wanted)
    print(f"Joined {_shown(wanted)}. To end it, `course leave`, or in a cell:\n{LEAVE}")
    return wanted


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
    return "You have joined no classroom: nothing is told."


def _tell(wanted, how):
    try:
        how()
    except client.Away as error:
        raise Refused(
            f"the page at {wanted.page} cannot be told ({error}). Is the address right, is the page still open, "
            "and are you in the same network?"
        ) from None
