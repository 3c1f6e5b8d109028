"""Advice on prose: what counts as a word of the list, and where a sentence ends."""

import pytest
from content import CHAPTERS
from prose import MOST_WORDS, check, findings, listed, prose, sentences

from lessonkit.review.diagnostics import errors, warnings


def said(text, chapter=None):
    return "; ".join(warnings(check(text, listed(), chapter=chapter)))


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("The slope is 2.", "derivative or gradient"),
        ("Walk back through it.", "backward pass"),
        ("It takes the *way back*.", "backward pass"),
        ("Each strip is a row of bytes.", "storage"),
        ("We mend the call.", "fix"),
        ("**Cure:** one line.", "fix"),
        ("A label stands beside the curve.", "next to"),
        ("The fresh net knows nothing.", "randomly initialised model"),
    ],
)
def test_a_word_of_the_list_is_found_with_the_one_to_write(text, instead):
    assert instead in said(text)


@pytest.mark.parametrize(
    "text",
    [
        "`slope` is a name in the code.",
        "```\nslope = 2  # mend it\n```",
        "| slope | 2 |",
        "The recommended call, procured amendments, besides the point, a stripped file.",
        "[The page](strip.md#slope) says so.",
    ],
)
def test_code_links_tables_and_longer_words_are_left_alone(text):
    assert said(text) == ""


def test_some_words_are_warned_of_in_their_chapters_only():
    assert "storage" not in said("A grid of pictures.", chapter=3) and said("A grid of pictures.", chapter=3) == ""
    assert "representable" in said("A grid of numbers.", chapter=1)
    assert said("the learning rate, a sampling rate of 8 kHz", chapter=5) == ""
    assert "learning rate" in said("the rate is too high", chapter=5)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("One. Two! Three? Four… Five", 5),
        ("It costs 0.5 s. Version 2.14.1 is out.", 2),
        ("- one item\n- another item\n\n## A heading\n\nText that\ngoes on.", 4),
        ("He said “stop.” Then he went.", 2),
        ("The first ends. pip begins the second.", 2),
        ("A wheel, e.g. torch, or i.e. it.", 1),
        ("The call `a. B` is one sentence.", 1),
        ("", 0),
    ],
)
def test_where_a_sentence_ends(text, count):
    assert len(sentences(prose(text))) == count


def test_a_sentence_of_29_words_is_too_long_and_one_of_28_is_not():
    words = " ".join(["word"] * MOST_WORDS)
    assert said(f"{words}.") == "" and f"{MOST_WORDS + 1} words" in said(f"{words} more.")
    assert said(f"{words}\n\n{words}") == "" and said(f"- {words}\n- {words}") == ""


def test_it_reads_cells_hints_explanations_and_pages_and_gives_advice_only():
    found = list(findings(CHAPTERS[:2]))
    assert errors(found) == []
    places = {finding.where for finding in found}
    assert any("Markdown cell" in place for place in places) and any(place.endswith(".md") for place in places)
