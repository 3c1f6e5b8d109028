"""Texts that a regular expression matches, made from its own parts: one for each alternative that it has."""

import re
from re import _constants as codes
from re import _parser as parser

GROUP, CLOSED, AGAIN = 0xE000, 0xE100, 0xE200  # marks, of private use, around a group's text and for (?P=group)
CATEGORIES = {
    codes.CATEGORY_DIGIT: "7",
    codes.CATEGORY_WORD: "w",
    codes.CATEGORY_SPACE: " ",
    codes.CATEGORY_NOT_DIGIT: "w",
    codes.CATEGORY_NOT_WORD: ".",
    codes.CATEGORY_NOT_SPACE: "w",
}


def samples(regex: re.Pattern) -> list[str]:
    """Return texts that `regex` matches: the first way through it, and every other part and alternative once.

    >>> samples(re.compile(r"(?:cat|dog) (?P<n>[0-9]+)( again)?"))
    ['cat 0 again', 'dog 0 again', 'cat 0']
    >>> samples(re.compile(r"(?P<a>x|y) is (?P=a)"))
    ['x is x', 'y is y']
    """
    found = [_resolved(text) for text in _sequence(parser.parse(regex.pattern, regex.flags))]
    return [text for text in dict.fromkeys(found) if regex.search(text)]


def _sequence(parts) -> list[str]:
    """Return the first text, then the first with one part replaced by another of its texts."""
    texts = [_part(code, value) for code, value in parts]
    first = [one[0] for one in texts]
    others = [
        "".join([*first[:place], other, *first[place + 1 :]])
        for place, one in enumerate(texts)
        for other in one[1:]
    ]
    return ["".join(first), *others]


def _part(code, value) -> list[str]:
    if code is codes.LITERAL:
        return [chr(value)]
    if code is codes.NOT_LITERAL:
        return ["w" if chr(value) != "w" else "x"]
    if code is codes.ANY:
        return ["w"]
    if code is codes.IN:
        return [_one_of(value)]
    if code is codes.BRANCH:
        return [text for branch in value[1] for text in _sequence(branch)]
    if code is codes.SUBPATTERN:
        number, _, _, inner = value
        marks = ("", "") if number is None else (chr(GROUP + number), chr(CLOSED + number))
        return [text.join(marks) for text in _sequence(inner)]
    if code is codes.GROUPREF:
        return [chr(AGAIN + value)]
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
        least, _, inner = value
        texts = [text * max(least, 1) for text in _sequence(inner)]
        return texts if least else [*texts, ""]
    if code in (codes.AT, codes.ASSERT, codes.ASSERT_NOT):
        return [""]
    raise NotImplementedError(f"{code} in a pattern: teach samples.py to make a text of it")


def _one_of(members) -> str:
    """Return a character of a class, of `[^...]` one that is not in it."""
    if members[0][0] is codes.NEGATE:
        barred = [_choices(member) for member in members[1:]]
        return next(sign for sign in "w7 .~" if not any(sign in one for one in barred))
    return _choices(members[0])[0]


def _choices(member) -> str:
    code, value = member
    if code is codes.RANGE:
        return "".join(map(chr, range(value[0], value[1] + 1)))
    if code is codes.CATEGORY:
        return CATEGORIES[value]
    return chr(value)


def _resolved(text: str) -> str:
    """Return `text` with its groups' texts where they are named again, without the marks."""
    for number in range(1, 100):
        opened, closed = chr(GROUP + number), chr(CLOSED + number)
        inner = text.partition(opened)[2].partition(closed)[0] if opened in text else ""
        text = text.replace(chr(AGAIN + number), inner)
    return re.sub("[\ue000-\ue2ff]", "", text)
