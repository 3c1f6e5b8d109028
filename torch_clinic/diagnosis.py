"""From the text of an error to the clinic's cases: which one it is, where to look, which number is what."""

import html
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from torch_clinic.cases import known_cases
from torch_clinic.expressions import Expression
from torch_clinic.hints import with_hints
from torch_clinic.memory import with_sums
from torch_clinic.patterns import Pattern, read_patterns
from torch_clinic.platforms import with_system
from torch_clinic.printed import as_typed
from torch_clinic.tracebacks import Section, broken_off, on_one_line, own_line, sections, whose
from torch_clinic.tried import with_tried

UNKNOWN = "I do not know this one."
BROKEN_OFF = " The text ends before the message: paste it to its last line."
MOST_CHARACTERS = 500_000  # of a log; an error stands at its end
LOOSE = Expression(
    r"Assertion|^\s*what\(\):|ProcessGroupNCCL|NCCL WARN|fatal error: |incompatible torch version"
    r"|bitsandbytes native library|the bitsandbytes CUDA binary at"
    r"|No matching distribution found for|that satisfies the requirement"
)
# Cases whose fix changes a line or a model, beside those of shapes and dtypes.
OF_A_LINE = (
    "device_mismatch",
    "no_super_init",
    "wrong_arguments",
    "forward_arguments",
    "module_attribute",
    "size_mismatch",
    "missing_keys",
    "inplace_saved",
    "view_inplace",
)
OF_CALLED = (
    "The line that raised belongs to {}, and a line of yours calls it: look first at what yours hands to it "
    "(shape, dtype), and at the options that it was made with. Where the layer is your own: "
)
OF_OTHERS = (
    "The code most likely belongs to {} and not to you, so leave it as it is. Look at what you hand to it (which "
    "model and files, shapes, dtypes), at its options, and at the versions that its page names (pip list): a newer "
    "one may have fixed the line. For a line of your own, if there is one further up: "
)


@dataclass(frozen=True)
class Finding:
    """One case that fits. `score`: 0 to 1. `line`: the deepest line of your own code, empty where none was pasted.

    `look`: what to look at there. `read`: which number is what, filled in from your message where it could be.
    `theirs`: whether the fix is for a library's code.
    """

    case: str
    title: str
    score: float
    line: str
    look: str
    read: str
    fix: str
    chapter: str
    theirs: bool = False

    def __str__(self) -> str:
        place = f"{self.line}\n   Look at: {self.look}" if self.line else self.look
        label = "Raised at" if self.line else "Look at"
        return (
            f"{self.title} (`{self.case}`, chapter {self.chapter})\n   {label}: {place}\n"
            f"   Read: {self.read}\n   Fix: {self.fix}"
        )


class Diagnosis(list):
    """A list of findings, the likeliest first, that shows itself; an empty one says that it does not know.

    `broken_off`: whether the text ended within a traceback, so that there was no message to know.
    """

    def __init__(self, findings: Collection[Finding] = (), *, broken_off: bool = False) -> None:
        super().__init__(findings)
        self.broken_off = broken_off

    def __str__(self) -> str:
        said = "\n\n".join(f"{number}. {finding}" for number, finding in enumerate(self, start=1))
        return said or UNKNOWN + BROKEN_OFF * self.broken_off

    __repr__ = __str__

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict:
        return {"text/plain": str(self), "text/html": _page(str(self))}


def diagnose(text: str, *, most: int = 3) -> Diagnosis:
    """Return the cases that fit a pasted traceback, message or warning, `most` at most; empty where none does.

    A text without any error is searched for what people say of the silent cases. Of a long text only the last
    half million characters are read.

    >>> found = diagnose("RuntimeError: mat1 and mat2 shapes cannot be multiplied (64x1024 and 512x10)")
    >>> found[0].case, found[0].chapter
    ('mm_shapes', '04 nets')
    >>> print(found[0].read)  # doctest: +ELLIPSIS
    1024 features arrive in each of 64 rows; the right matrix, ... takes 512 (and gives 10).
    >>> diagnose("KeyError: 'price'")
    I do not know this one.
    >>> [finding.case for finding in diagnose("The loss is nan after 3 epochs")]
    ['nan_loss']
    """
    text = as_typed(text[-MOST_CHARACTERS:])
    found = sections(text)
    said = with_sums(with_hints("", on_one_line(text), text))
    beside = _loose(text)
    for section in found:
        section.beside, section.text, section.message = (
            beside,
            text,
            with_sums(with_hints(section.name, section.message, text)),
        )
    best: dict[str, Finding] = {}
    spare: dict[str, Finding] = {}  # what only says where the error itself stands
    for section in found:
        weight = 0.8 if section.name.endswith("Warning") else 1.0 if section is found[-1] else 0.95
        _collect(best, False, section, weight, own_line(found, section))
        _collect(spare, True, section, weight, own_line(found, found[-1]), found)
    if found:
        _collect(best, False, Section(message=with_system(beside, text), text=text), 0.7)
        _drop_warnings(best, found)
    else:
        _collect(best, False, Section(message=said, beside=said, text=text), 1.0)
        for pattern in read_patterns():
            if pattern.symptom and pattern.symptom.search(said) and pattern.suits(text):
                _keep(best, pattern, {}, pattern.score, "")
    if all(section.name.endswith("Warning") for section in found):  # a launcher's line stands in no traceback
        _collect(spare, True, Section(message=said, text=text), 1.0)
    ranked = sorted((best or spare).values(), key=lambda finding: -finding.score)
    ranked = [_for_this_text(finding, whose(found, text), text) for finding in ranked[:most]]
    return Diagnosis(ranked, broken_off=not found and broken_off(text))


def _page(text: str) -> str:
    """Return a diagnosis in HTML: a box with a bar on its left, as the course's checks show theirs.

    A screen reader says it as soon as it is there. The bar's colour is mixed with the text's, so that it is seen on
    light themes and dark ones.
    """
    words = re.sub(r"`([^`\n]+)`", r"<code>\1</code>", html.escape(text)).replace("\n", "<br>")
    color = "color-mix(in srgb, currentColor 45%, #3b7dc4)"
    style = f"border-left: 4px solid; border-left-color: {color}; padding: 0.3em 0.8em"
    said = f'<div role="status" style="white-space: pre-wrap">{words}</div>'
    return f'<div class="course-note" style="{style}">{said}</div>'


def _for_this_text(finding: Finding, whose_line: tuple[str, bool], text: str) -> Finding:
    """Return `finding` with its fix kept to code of one's own where none was pasted, and with what was tried."""
    fix = finding.fix
    owner, called = whose_line
    of_sizes = known_cases()[finding.case].group in ("shapes", "dtypes")
    if owner and not finding.theirs and (of_sizes or (not called and finding.case in OF_A_LINE)):
        fix = (OF_CALLED if called else OF_OTHERS).format(owner) + fix
    return replace(finding, fix=with_tried(fix, text))


def _drop_warnings(best: dict[str, Finding], found: Sequence[Section]) -> None:
    """Of a text with an error that no case fits, keep warnings of devices only: an error may follow those."""
    warned: dict[str, Finding] = {}
    errors: dict[str, Finding] = {}
    for section in found:
        _collect(warned if section.name.endswith("Warning") else errors, False, section, 1.0)
    if not errors and any(not section.name.endswith("Warning") for section in found):
        for case in warned:
            if known_cases()[case].group != "devices":
                best.pop(case, None)


def _loose(text: str) -> str:
    """Return what CUDA's kernels, NCCL and C++ print beside a traceback; the rest of a log is not searched."""
    return on_one_line(" ".join(line for line in text.splitlines() if LOOSE.search(line)))


def _collect(
    best: dict, alone: bool, section: Section, weight: float, line: str = "", found: Sequence[Section] = ()
) -> None:
    """Add what fits `section`; of a wrapper the text of the last error in `found` is said."""
    error = f"{found[-1].name}: {found[-1].message[:200]}" if found else "under Original Traceback"
    for pattern in read_patterns():
        if pattern.alone != alone or (pattern.sole and len({one.name for one in found}) > 1):
            continue
        if (groups := pattern.groups(section)) is not None:
            _keep(best, pattern, groups | {"error": error}, round(pattern.score * weight, 3), line)


def _keep(best: dict[str, Finding], pattern: Pattern, groups: dict, score: float, line: str) -> None:
    if pattern.case in best and best[pattern.case].score >= score:
        return
    words = pattern.said(groups)
    best[pattern.case] = Finding(
        pattern.case,
        score=score,
        line=line,
        chapter=known_cases()[pattern.case].chapter,
        theirs=pattern.theirs,
        **words,
    )
