"""Say what only a look at all submissions shows: which of a learner's hand-ins counts, and where two are alike.

Nothing is judged here. What is found is written on the rows of both, for a person to look at.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from lessonkit.teach.room.rows import Graded

RULES = ("latest", "best")
_NAMED = 3  # learners that a sentence names
SAME_TEXT = "Its answers are the same text as in "
SEVERAL = "This is one of "
_PART = "::"  # between a file and the second chapter in it, in grades.json


@dataclass(frozen=True)
class Known:
    """What was noted of one file as it was collected. `order`: sorts a learner's hand-ins, the latest last.

    `by`: by what that order is known, in words; `with_`: the folders of those who handed the same file in together;
    `remarks`: sentences for its row.
    """

    order: tuple = ()
    by: str = ""
    with_: frozenset[str] = frozenset()
    remarks: tuple[str, ...] = field(default_factory=tuple)


def settled(
    results: Iterable[Graded],
    *,
    rule: str = "latest",
    known: Mapping[str, Known] | None = None,
    names: Mapping[str, str] | None = None,
) -> list[Graded]:
    """Return each submission, those of several chapters as several, with what counts and what to look at.

    `rule`: which of several hand-ins of one learner and chapter counts, the "latest" or the "best"; `known`: file
    -> what was noted as it was collected; `names`: folder -> the learner's name, which the result has.
    """
    known, names = known or {}, names or {}
    flat = [_named(part, number) for one in results for number, part in enumerate((one, *one.also))]
    flat = [
        replace(
            one,
            learner=names.get(one.learner, one.learner),
            also=(),
            counts=True,
            flags=_of(known, one).remarks,
        )
        for one in flat
    ]
    return _same_text(_one_counts(flat, rule, known), known)


def file_of(one: Graded) -> str:
    """Return the file of a submission, without the chapter that tells the second one in it from the first."""
    return one.file.removesuffix(f"{_PART}{one.chapter}")


def _named(part: Graded, number: int) -> Graded:
    return replace(part, file=f"{part.file}{_PART}{part.chapter}") if number else part


def _of(known: Mapping[str, Known], one: Graded) -> Known:
    return known.get(file_of(one), Known())


def _groups(results: Sequence[Graded], key: Callable[[Graded], object]) -> list[list[int]]:
    found = defaultdict(list)
    for number, one in enumerate(results):
        if (name := key(one)) is not None:
            found[name].append(number)
    return [numbers for numbers in found.values() if len(numbers) > 1]


def _one_counts(results: list[Graded], rule: str, known: Mapping[str, Known]) -> list[Graded]:
    for numbers in _groups(results, lambda one: (one.learner, one.chapter) if one.chapter else None):
        ordered = sorted(numbers, key=lambda n: (_of(known, results[n]).order, _natural(file_of(results[n]))))
        readable = [n for n in ordered if any(row.state != "unreadable" for row in results[n].rows)] or ordered
        best = max(results[n].passed for n in readable)
        chosen = readable[-1] if rule == "latest" else [n for n in readable if results[n].passed == best][-1]
        by = f" ({_of(known, results[chosen]).by})" if rule == "latest" and _of(known, results[chosen]).by else ""
        unread = ", of those that can be read" if len(readable) < len(ordered) else ""
        for number in numbers:
            one = results[number]
            if number == chosen:
                words = f"{SEVERAL}{len(numbers)} hand-ins of this chapter and the {rule}{by}{unread}: it counts."
            else:
                words = (
                    f"{SEVERAL}{len(numbers)} hand-ins of this chapter, and it does not count: "
                    f"{results[chosen].file} does, the {rule}{by}{unread}."
                )
            results[number] = replace(one, counts=number == chosen, flags=(*one.flags, words))
    return results


def _natural(file: str) -> tuple[int, str]:
    """Return what sorts `start`, `start-2`, `start-10` as they were taken, where nothing else is known."""
    stem = file.removesuffix(".ipynb")
    head, _, number = stem.rpartition("-")
    return (int(number), head) if number.isdecimal() and len(number) < 6 else (1, stem)


def _same_text(results: list[Graded], known: Mapping[str, Known]) -> list[Graded]:
    for numbers in _groups(results, lambda one: one.own or None):
        for number in numbers:
            one = results[number]
            others = [results[n] for n in numbers if results[n].learner != one.learner]
            together = _of(known, one).with_
            others = {other.learner: other.file for other in others if other.learner not in together}
            if others:
                named = ", ".join(
                    f"{learner}'s hand-in ({file})" for learner, file in sorted(others.items())[:_NAMED]
                )
                more = f" and of {len(others) - _NAMED} more" if len(others) > _NAMED else ""
                words = f"{SAME_TEXT}{named}{more}. Look at them by hand."
                results[number] = replace(one, flags=(*one.flags, words))
    return results
