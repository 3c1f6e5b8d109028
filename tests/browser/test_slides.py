"""Every chapter's slides in a browser: nothing over the edge, every picture there, nothing fetched."""

import re

import pytest
from playwright.sync_api import expect
from show import MEASURE, Show, axe

from lessonkit.notebook.catalog import find, select
from lessonkit.teach.slides.deck import write

CHAPTERS = find()
LIMITS = {"width": 1280, "height": 720, "code": 18, "text": 24}


@pytest.fixture(scope="module")
def show(chromium):
    show = Show(chromium)
    try:
        yield show
    finally:
        show.end()


@pytest.fixture(scope="module")
def decks(show):
    """Writes a chapter's deck once, into a folder whose name has a space and an é."""
    there = {}

    def deck(chapter, further=False):
        key = chapter.name, further
        if key not in there:
            there[key] = write(chapter, show.folder / f"{chapter.name}-{further}.html", further=further)
        return there[key]

    return deck


@pytest.mark.parametrize("further", [False, True], ids=["core", "all"])
@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_nothing_runs_over_the_edge_and_every_picture_shows(chapter, further, show, decks):
    deck = decks(chapter, further)
    found, heard = show.of(deck.path, lambda page: page.evaluate(MEASURE, LIMITS))
    assert (found["wrong"], heard) == ([], [])
    assert found["total"] == deck.slides and found["pictures"] > 0


def test_axe_finds_nothing_on_a_slide_of_each_kind(show, decks):
    [chapter] = select(CHAPTERS, ("00",))
    kinds = ("[data-kind=title]", "table", "img", ".jp-RenderedText", ".highlight", ".course-verdict", "ul")
    kinds += (".celltag_hint", ".celltag_bet", "[data-mime-type*=stderr]")

    def look(page):
        numbers = [
            page.locator(".slides > section").evaluate_all(
                "(slides, kind) => slides.findIndex(slide => slide.matches(kind) || slide.querySelector(kind))",
                kind,
            )
            for kind in kinds
        ]
        missing = [kind for kind, number in zip(kinds, numbers, strict=True) if number == -1]
        assert not missing, f"the chapter has no slide with {missing}"
        return [line for number in sorted(set(numbers)) for line in axe(page, number)]

    assert show.of(decks(chapter, further=True).path, look) == ([], [])


def test_keys_numbers_and_notes(show, decks):
    [chapter] = select(CHAPTERS, ("05",))
    deck = decks(chapter)

    def look(page):
        shown = page.locator(".slide-number")
        expect(shown).to_have_text(re.compile(rf"1\s*/\s*{deck.slides}"))
        page.keyboard.press("Space")
        expect(shown).to_have_text(re.compile(rf"2\s*/\s*{deck.slides}"))
        page.keyboard.press("ArrowDown")  # scrolls, and stays on the slide
        expect(shown).to_have_text(re.compile(rf"2\s*/\s*{deck.slides}"))
        page.keyboard.press("End")
        expect(shown).to_have_text(re.compile(rf"{deck.slides}\s*/\s*{deck.slides}"))
        with page.expect_popup() as popup:
            page.keyboard.press("s")
        notes = popup.value.locator(".speaker-controls-notes .value")
        expect(notes).to_contain_text("What surprised us")
        expect(notes).to_contain_text(f"of {deck.minutes}.")

    show.of(deck.path, look)


def test_an_output_waits_for_a_key_and_a_long_slide_scrolls_to_it(show, decks):
    [chapter] = select(CHAPTERS, ("05",))

    def look(page):
        number = page.evaluate("Reveal.getSlides().findIndex(slide => slide.querySelector('.fragment'))")
        page.evaluate("number => Reveal.slide(number, 0, -1)", number)
        output = page.locator("section.present section.present .fragment").first
        expect(output).to_have_css("opacity", "0")
        page.locator("section.present section.present").evaluate("slide => { slide.style.height = '240px'; }")
        page.keyboard.press("Space")
        expect(output).to_have_css("opacity", "1")
        expect(output).to_be_in_viewport()
        scrolled = page.locator("section.present section.present").evaluate("slide => slide.scrollTop")
        page.keyboard.press("ArrowUp")
        return scrolled, page.locator("section.present section.present").evaluate("slide => slide.scrollTop")

    (after, up), heard = show.of(decks(chapter).path, look)
    assert after > up and heard == []


def test_a_deck_prints_every_slide_whole(show, decks):
    [chapter] = select(CHAPTERS, ("10",))
    deck = decks(chapter)

    def look(page):
        expect(page.locator(".pdf-page")).to_have_count(deck.slides)
        cut = "pages => pages.filter(page => page.scrollHeight > page.clientHeight + 1).length"
        return page.locator(".pdf-page").evaluate_all(cut), page.pdf(prefer_css_page_size=True)

    (cut, pdf), heard = show.of(deck.path, look, query="?print-pdf")
    assert (cut, heard) == (0, [])
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) >= deck.slides
