"""Tell the folders that are learners' from those that somebody made around the folders of several."""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from lessonkit.teach.room.names import key


@dataclass
class Unclaimed:
    """A path whose learner is not known yet: the folders that may be called as they are, and its file's name."""

    place: int
    folders: list[str]
    in_name: str = ""  # a learner's name in the file's
    notebook: bool = False
    chapter: str = ""
    above: list[str] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)


@dataclass
class FoldersOfPeople:
    """What folders say that no platform's form has told. `found`: place -> name, unit, how it is written.

    `wrapper`: what the whole is called, as the folder that it was made of may be; `around`: folders that were
    taken to be around those of several people -> their names.
    """

    is_person: Callable[[str], bool]
    wrapper: str
    found: dict[int, tuple[str, str, str]] = field(default_factory=dict)
    around: dict[str, list[str]] = field(default_factory=dict)

    def descend(self, those: list[Unclaimed], depth: int) -> None:
        """Take the names that stand at a depth, or go on below folders that hold several people."""
        groups: dict[str, list[Unclaimed]] = defaultdict(list)
        for one in those:
            if len(one.folders) > depth:
                groups[key(one.folders[depth])].append(one)
            else:
                parents = one.above[depth - 1] if depth and len(one.above) >= depth else ""
                self.found[one.place] = one.in_name, parents, ""
        prefix = _prefix([group[0].folders[depth] for group in groups.values()])
        # Where a notebook lies in one of them as it is, they are learners' own, one perhaps with two tries.
        learners = len(groups) > 1 and any(
            one.notebook and len(one.folders) == depth + 1 and not (one.in_name and one.chapter)
            for group in groups.values()
            for one in group
        )
        several = {
            name
            for name, group in groups.items()
            if not learners and self._holds_several(group, depth, alone=len(group) == len(those))
        }
        # Beside `Group 1` with several people, `Group 2` with one is no person either.
        alike = {_of_a_row(name) for name in several}
        for name, group in groups.items():
            below = all(len(one.folders) > depth + 1 for one in group)
            if name in several or (below and _of_a_row(name) in alike):
                self.descend(group, depth + 1)
                inside = dict.fromkeys(self.found[one.place][0] for one in group)
                self.around[group[0].folders[depth]] = [one for one in inside if one]
            else:
                for one in group:
                    self.found[one.place] = one.folders[depth][len(prefix) :], one.above[depth], one.raw[depth]

    def _holds_several(self, group: Sequence[Unclaimed], depth: int, *, alone: bool) -> bool:
        """Return whether a folder is the one around several learners', and not a learner's own.

        It is where names stand below it, and it is either the only one, or two of them hold the same chapter.
        """
        if self.is_person(group[0].folders[depth]):
            return False
        children: dict[str, set[str]] = defaultdict(set)
        for one in [one for one in group if one.notebook] or group:
            below = one.folders[depth + 1] if len(one.folders) > depth + 1 else ""
            if below or (one.in_name and one.chapter):
                children[key(below or one.in_name)].add(one.chapter)
        if alone and children and key(group[0].folders[depth]) == self.wrapper:
            return True
        if len(children) < 2:
            return False
        alike = [chapter for held in children.values() for chapter in held if chapter]
        return alone or len(alike) > len(set(alike))


def _of_a_row(name: str) -> str:
    """Return what `group 1` and `group 2`, `room a` and `room b` have in common."""
    return re.sub(r"\d+|\b\w\b", "", name).strip()


def _prefix(names: Sequence[str]) -> str:
    """Return what all names begin with where it is an assignment's, `intro-` of `intro-anna` and `intro-ben`."""
    if len(names) < 3 or any(" " in name for name in names):
        return ""
    first, last = min(names), max(names)
    same = next((n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    prefix = first[: first.rfind("-", 0, same) + 1]
    return prefix if len(prefix) > 3 and all(len(name) - len(prefix) >= 3 for name in names) else ""
