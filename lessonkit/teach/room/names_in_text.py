"""Find the people of a roster in a text such as a file's name, where nothing says where one name ends."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from lessonkit.teach.room.names import words_of
from lessonkit.teach.room.roster import Entry, by_name

_JOINED_BY = {"and", "und", "et", "y", "e", "i", "og", "och", "en", "with", "mit", "avec", "con", "med", "plus"}
_WITH = {"with", "mit", "avec", "con", "med"}
_MOST, _LONGEST = 24, 6  # words of a text that are looked at, and of one name


@dataclass(frozen=True)
class Named:
    """Who is named for certain, in the order of the text; `unsure`: words that may be several people's, or a part.

    `rest`: words that are nobody's name; `with_somebody`: whether the text says that somebody worked with them.
    """

    entries: tuple[Entry, ...] = ()
    unsure: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()
    with_somebody: bool = False


def names_in(text: str, roster: Sequence[Entry], *, owner: Entry | None = None) -> Named:
    """Return whom a text names: whole names, first and last in either order, whatever stands between them.

    Of several people with one name it is the `owner`, where that is one of them.

    >>> [one.name for one in names_in("koch_ben_russo_chiara", [Entry("Chiara Russo"), Entry("Ben Koch")]).entries]
    ['Ben Koch', 'Chiara Russo']
    """
    apart = re.sub(r"(?<=[^\W\d_A-Z])(?=[A-Z])", " ", text)
    found = _found(text, roster, owner)
    return found if found.entries or apart == text else _found(apart, roster, owner)


def _found(text: str, roster: Sequence[Entry], owner: Entry | None) -> Named:
    words = [word for word in words_of(text) if not word.isdecimal()][:_MOST]

    @cache
    def those(start: int, end: int) -> tuple[Entry, ...]:
        span = words[start:end]
        found = tuple(one for one in by_name(span, roster) if len(span) <= len(words_of(one.name)))
        return (owner,) if owner in found else found

    @cache
    def splits(start: int) -> tuple[int, frozenset[tuple[tuple[int, int], ...]]]:
        """Return how many words from here on are of names at most, and every way to have so many."""
        if start == len(words):
            return 0, frozenset({()})
        best, ways = splits(start + 1)
        ways = set(ways)
        for end in range(start + 1, min(len(words), start + _LONGEST) + 1):
            if those(start, end):
                count, further = splits(end)
                count += end - start
                if count > best:
                    best, ways = count, set()
                if count == best:
                    ways |= {((start, end), *one) for one in further}
        return best, frozenset(ways)

    ways = splits(0)[1]
    fewest = min(map(len, ways))
    ways = sorted(one for one in ways if len(one) == fewest)
    certain = [{those(*span) for span in one} for one in ways]
    entries, unsure = [], []
    for span in ways[0]:
        (entries if len(those(*span)) == 1 and all(those(*span) in one for one in certain) else unsure).append(span)
    used = {number for span in ways[0] for number in range(*span)}
    rest = [word for number, word in enumerate(words) if number not in used and word not in _JOINED_BY]
    return Named(
        tuple(dict.fromkeys(those(*span)[0] for span in entries)),
        tuple(" ".join(words[slice(*span)]) for span in unsure),
        tuple(rest),
        bool(_WITH & set(words)),
    )
