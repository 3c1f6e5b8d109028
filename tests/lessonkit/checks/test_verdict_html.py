"""Verdicts in HTML: what unfolds in which state, what an answer cannot alter, and that anybody can read it."""

import re
from html.parser import HTMLParser

import pytest
import torch

from lessonkit.checks import verdict_html
from lessonkit.checks.exercise import Exercise
from lessonkit.checks.verdict import STATES, Note, Verdict
from lessonkit.checks.verdict_html import _COLORS, _NOTE, _WRONG

# Of what a sanitiser lets through (JupyterLab's, for outputs that are not trusted): all that a verdict is made of.
TAGS = {"div", "span", "br", "code", "pre", "details", "summary"}
HINTS = ("Halve it `x / 2`.", "Is <b> bold & bad?", "Write `return x / 2`.")


def half(x):
    """Half of it."""
    return x / 2


def quarter(x):
    """You halved it twice."""
    return x / 4


def question():
    return Exercise(
        half, inputs=lambda seed: [(torch.tensor([1.0, seed]),)], mistakes=(quarter,), hints=list(HINTS)
    )


def right(x):
    return x * 0.5


class Tree(HTMLParser):
    """The elements of a page, and each text with the classes around it; a page that is not balanced is an error."""

    def __init__(self, page):
        super().__init__()
        self.open, self.elements, self.texts = [], [], []
        self.feed(page)
        self.close()
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag != "br":
            self.open.append((tag, dict(attributes).get("class", "")))

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, text):
        self.texts.append(([name for _, name in self.open if name], self.open[-1][0] if self.open else "", text))

    def classes(self, text):
        """The classes around the first text that holds `text`, outermost first."""
        return next(classes for classes, _, found in self.texts if text in found)


def page(shown):
    return shown._repr_mimebundle_()["text/html"]


def folded(page):
    """The page with each <details> as brackets: its summary and what is in it, in short."""
    return re.sub(r"<details.*?<summary>(.*?)</summary>", r"[\1: ", page).replace("</details>", "]")


def test_hints_unfold_one_within_the_other_and_our_answer_within_the_last():
    shown = Tree(page(question().check(quarter)))
    assert shown.classes("You halved it twice.") == ["course-verdict"]
    for number, words in enumerate(("Halve it", "Is <b> bold & bad?", "Write"), start=1):
        assert shown.classes(words) == ["course-verdict"] + ["course-hint"] * number
        assert shown.classes(f"Hint {number} of 3") == ["course-verdict"] + ["course-hint"] * number
    assert shown.classes("def half(x):") == ["course-verdict", *["course-hint"] * 3, "course-answer"]
    assert shown.classes("Our answer, to compare")[-1] == "course-answer"


def test_what_passed_shows_our_answer_and_no_hint():
    shown = Tree(page(question().check(right)))
    assert shown.classes("def half(x):") == ["course-verdict", "course-answer"]
    assert "Hint" not in page(question().check(right))


@pytest.mark.parametrize("answer", [..., None, lambda x: None])
def test_whoever_has_not_tried_gets_hints_and_is_told_where_our_answer_is(answer):
    verdict = question().check(answer)
    assert "Hint 3 of 3" in page(verdict) and "return x / 2</code>." in page(verdict)
    assert "def half" not in page(verdict) and verdict.solution == ""
    assert Tree(page(verdict)).classes("ex.half.solution()") == ["course-verdict", *["course-hint"] * 3]


def test_without_hints_our_answer_follows_the_message():
    bare = Exercise(half, inputs=lambda seed: [(1.0,), (2.0,)])
    assert folded(page(bare.check(lambda x: x))).count("[") == 1
    assert "<details" not in page(bare.check(...))
    assert "<details" not in page(Verdict("case 3", "not attempted", "Which line?\na  this\nb  that"))


def test_the_text_is_what_it_was_and_holds_no_hint():
    verdict = question().check(quarter)
    assert (
        str(verdict)
        == repr(verdict)
        == verdict._repr_mimebundle_()["text/plain"]
        == ("✗ half: You halved it twice.")
    )
    assert str(Note("def f(): ...", code=True)) == "def f(): ..."


def test_what_an_answer_prints_or_raises_is_escaped():
    def answer(x):
        print("<img src=x onerror=alert(1)> `not code`")
        raise ValueError("<script>alert(2)</script>")

    bundle = question().check(answer)._repr_mimebundle_()
    assert "&lt;img src=x" in bundle["text/html"] and "`not code`" in bundle["text/html"]
    assert "&lt;script&gt;" in bundle["text/html"]
    assert {tag for tag, _ in Tree(bundle["text/html"]).elements} <= TAGS
    named = Verdict('"><script>', "wrong", "no", hints=('"><script>',), solution="</pre></details><script>")
    assert {tag for tag, _ in Tree(page(named)).elements} <= TAGS


@pytest.mark.parametrize("state", STATES)
def test_the_state_is_said_in_words_that_a_screen_reader_finds(state):
    elements = Tree(page(Verdict("half", state, "Said.", hints=HINTS, solution="x"))).elements
    assert elements[0][1] | {"style": ""} == {
        "class": "course-verdict",
        "data-exercise": "half",
        "data-state": state,
        "role": "group",
        "aria-label": f"half: {state}",
        "style": "",
    }
    (status,) = [number for number, (_, told) in enumerate(elements) if told.get("role") == "status"]
    assert elements[status + 1] == ("span", {"role": "img", "aria-label": state})
    page_ = page(Verdict("half", state, "Said.", hints=HINTS, solution="x"))
    assert "<details" not in re.search(r'<div role="status".*?</div>', page_)[0], "unfolding would be read out"
    assert not {"tabindex", "onclick", "id"} & {name for _, told in elements for name in told}


def luminance(color):
    parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in color]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def contrast(one, other):
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("color", [*_COLORS.values(), _WRONG, _NOTE])
@pytest.mark.parametrize(("ground", "text"), [((1, 1, 1), (0.13,) * 3), ((0.07,) * 3, (1, 1, 1))])
def test_the_bar_stands_out_on_a_light_theme_and_on_a_dark_one(color, ground, text):
    share = int(re.search(r"currentColor (\d+)%", verdict_html._box("x", color, ""))[1]) / 100
    rgb = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    mixed = [share * a + (1 - share) * b for a, b in zip(text, rgb, strict=True)]
    assert contrast(mixed, ground) >= 4.5


def test_the_text_keeps_the_pages_own_colours():
    shown = page(question().check(quarter))
    assert not re.search(r"[^-]color:|background|font|<style|<script", shown)


def test_what_is_stored_lacks_our_answer_and_nothing_else():
    verdict = question().check(quarter)
    stored = verdict_html.without_answer(page(verdict))
    assert "def half" not in stored and "Our answer" not in stored
    assert stored == page(Verdict("half", verdict.state, verdict.message, hints=verdict.hints))
    assert verdict_html.without_answer(stored) == stored
    Tree(stored)


def test_hints_cannot_be_altered_in_place():
    assert question().hints == HINTS


def test_an_exercise_that_stands_in_no_file_says_so():
    space = {}
    exec("def double(x):\n    return 2 * x", space)
    verdict = Exercise(space["double"], inputs=lambda seed: [(1,), (seed,)]).check(lambda x: x + x)
    assert verdict.passed
    assert verdict.solution.startswith("# There is no text of it: ")


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("the *last* axis", "the <em>last</em> axis"),
        ("*first*, and the *second one*.", "<em>first</em>, and the <em>second one</em>."),
        ("“*both*” (*each*)", "“<em>both</em>” (<em>each</em>)"),
        ("2 * 3 * 4, a*b*c, N*(N-1)*2, (x)*y*z", "2 * 3 * 4, a*b*c, N*(N-1)*2, (x)*y*z"),
        ("`a *b* c` is code", "<code>a *b* c</code> is code"),
        ("f(*args, **options)", "f(*args, **options)"),
        ("one * alone\n*over\nlines*", "one * alone<br>*over<br>lines*"),
        ("*<b>*", "<em>&lt;b&gt;</em>"),
    ],
)
def test_emphasis_is_set_and_a_product_is_not(text, page):
    assert verdict_html.words(text) == page
