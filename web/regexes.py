"""A regular expression of Python's as one of JavaScript's that finds the same (flag `u`)."""

import re
from re import _constants as codes  # the parser that `re` itself uses: a translation by hand would drift from it
from re import _parser as parser

MARKS = set(r"\^$.|?*+()[]{}/")
KINDS = {
    codes.CATEGORY_DIGIT: r"\p{Nd}",
    codes.CATEGORY_NOT_DIGIT: r"\P{Nd}",
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_WORD: r"\p{L}\p{N}_",
    codes.CATEGORY_NOT_WORD: r"\W",
}
PLACES = {
    codes.AT_BEGINNING_STRING: r"(?<![\s\S])",
    codes.AT_END_STRING: r"(?![\s\S])",
    codes.AT_BOUNDARY: r"\b",
    codes.AT_NON_BOUNDARY: r"\B",
}
OPENERS = {
    (codes.ASSERT, 1): "(?=",
    (codes.ASSERT, -1): "(?<=",
    (codes.ASSERT_NOT, 1): "(?!",
    (codes.ASSERT_NOT, -1): "(?<!",
}


def to_javascript(pattern: re.Pattern) -> list[str]:
    """Return source and flags for `new RegExp`. Raises ValueError for what JavaScript has no word for.

    Differences that remain: \\b goes by ASCII there, and \\s counts a byte order mark as a space.
    """
    tree = parser.parse(pattern.pattern, pattern.flags)
    names = {number: name for name, number in tree.state.groupdict.items()}
    source = _Writer(names, multiline=bool(pattern.flags & re.MULTILINE), dotall=bool(pattern.flags & re.DOTALL))
    flags = "u" + "i" * bool(pattern.flags & re.IGNORECASE)
    return [source.sequence(tree), flags]


class _Writer:
    def __init__(self, names: dict[int, str], *, multiline: bool, dotall: bool) -> None:
        self.names, self.multiline, self.dotall = names, multiline, dotall
        self.folded = False  # within (?i:...), which not every browser knows: both cases are written out

    def sequence(self, items) -> str:
        return "".join(self.item(code, value) for code, value in items)

    def item(self, code, value) -> str:
        if code is codes.LITERAL:
            cases = self.cases(value)
            return _character(value) if len(cases) == 1 else f"[{cases}]"
        if code is codes.NOT_LITERAL:
            return f"[^{''.join(_character(ord(sign), inside=True) for sign in self.cases(value))}]"
        if code is codes.ANY:
            return r"[\s\S]" if self.dotall else r"[^\n]"
        if code is codes.IN:
            return self.characters(value)
        if code is codes.BRANCH:
            return "(?:" + "|".join(self.sequence(branch) for branch in value[1]) + ")"
        if code is codes.SUBPATTERN:
            return self.group(*value)
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
            return self.repeat(*value, lazy=code is codes.MIN_REPEAT)
        if code in (codes.ASSERT, codes.ASSERT_NOT):
            return OPENERS[code, value[0]] + self.sequence(value[1]) + ")"
        if code is codes.AT:
            return self.place(value)
        if code is codes.GROUPREF:
            return rf"\k<{self.names[value]}>" if value in self.names else rf"\{value}(?:)"
        raise ValueError(f"no JavaScript for {code}: write the pattern without it")

    def group(self, number, added, removed, items) -> str:
        if removed or added & ~re.IGNORECASE:
            raise ValueError("no JavaScript for these flags in the middle of a pattern")
        name = self.names.get(number)
        opener = f"(?<{name}>" if name else "(?:" if number is None else "("
        before, self.folded = self.folded, self.folded or bool(added)
        inner = self.sequence(items)
        self.folded = before
        return opener + inner + ")"

    def cases(self, number: int) -> str:
        sign = chr(number)
        return sign.lower() + sign.upper() if self.folded and sign.lower() != sign.upper() else sign

    def repeat(self, least, most, items, *, lazy: bool) -> str:
        most = None if most is codes.MAXREPEAT else most
        count = {(0, None): "*", (1, None): "+", (0, 1): "?"}.get((least, most))
        if count is None:
            count = f"{{{least}}}" if least == most else f"{{{least},{'' if most is None else most}}}"
        return f"(?:{self.sequence(items)}){count}" + "?" * lazy

    def place(self, value) -> str:
        if value is codes.AT_BEGINNING:
            return r"(?<![^\n])" if self.multiline else r"(?<![\s\S])"
        if value is codes.AT_END:
            return r"(?![^\n])" if self.multiline else r"(?=\n?(?![\s\S]))"
        return PLACES[value]

    def characters(self, items) -> str:
        negated, parts = False, []
        for code, value in items:
            if code is codes.NEGATE:
                negated = True
            elif code is codes.LITERAL:
                parts.extend(_character(ord(sign), inside=True) for sign in self.cases(value))
            elif code is codes.RANGE:
                if self.folded:
                    raise ValueError("no JavaScript for a range within (?i:...): write both cases out")
                parts.append("-".join(_character(end, inside=True) for end in value))
            else:
                parts.append(KINDS[value])
        return "[" + "^" * negated + "".join(parts) + "]"


def _character(number: int, *, inside: bool = False) -> str:
    sign = chr(number)
    if sign in MARKS or (inside and sign == "-"):
        return "\\" + sign
    return sign if sign.isprintable() else f"\\u{{{number:x}}}"
