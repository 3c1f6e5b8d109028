"""The page of `course grade` in a browser: light and dark, what learners wrote as text, from a table to a row."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsers import FLAGS, PATIENCE
from playwright.sync_api import sync_playwright

from lessonkit.teach.room.gradebook import Gradebook
from lessonkit.teach.room.rows import ROW_STATES, Graded, Row

EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)><b>bold</b>"
HEAD = {
    "isolation": "namespaces",
    "promises": "no network",
    "limits": {"seconds": 30.0, "memory": 4 * 2**30, "processes": 64, "file": 2**26, "spare": 2**28},
    "versions": {"python": "3.11"},
    "judged_by": "0123456789abcdef",
}


def handed_in():
    """Two chapters; in the first a row of each state; names, files and messages that would be HTML."""
    for number, learner in enumerate((EVIL, "Ana Núñez_48213")):
        states = [*ROW_STATES[number:], *ROW_STATES[:number]]
        rows = [Row(exercise=f"e{n}", state=state, message=f"`{EVIL}` {EVIL}") for n, state in enumerate(states)]
        known = Row(exercise="known", state="known mistake", message=f"You {EVIL} `x / 2`.", mistake=EVIL)
        file = f"{learner}/00 é.ipynb"
        yield Graded(learner=learner, file=file, sha256="", chapter="00_a", rows=(*rows, known), notes=(EVIL,))
        many = tuple(Row(exercise=f"case {n}", state="passed", message="Right.") for n in range(40))
        yield Graded(learner=learner, file=f"{learner}/12.ipynb", sha256="", chapter="12_b", rows=many)
    yield Graded(
        learner="x",
        file="x.ipynb",
        sha256="",
        chapter="",
        rows=(Row(exercise="", state="unreadable", message=EVIL),),
    )


def looked_at(executable, page_file):
    """scheme -> what was seen of the page; on a thread of its own, as another one has Playwright's loop."""
    found = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS, timeout=1000 * PATIENCE)
        for scheme in ("light", "dark"):
            context = browser.new_context(
                viewport={"width": 1280, "height": 900}, color_scheme=scheme, offline=True
            )
            context.set_default_timeout(1000 * PATIENCE)
            page, heard = context.new_page(), []
            page.on("dialog", lambda dialog, heard=heard: (heard.append(dialog.message), dialog.dismiss()))
            page.on("console", lambda said, heard=heard: heard.append(said.text))
            page.goto(page_file.as_uri())
            seen = {"too wide": page.evaluate("document.documentElement.scrollWidth - innerWidth")}
            seen["elements of theirs"] = page.locator("script, img, td b, th b, p b, summary b").count()
            page.locator("main a", has_text="Ana Núñez_48213").first.click()
            seen["open"] = page.locator("details[open] > summary").all_inner_texts()
            seen["in sight"] = page.locator("details[open] td.message").first.bounding_box()["y"]
            page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
            seen["code"] = page.locator("td code").all_inner_texts()
            seen["axe"] = [one["id"] for one in Axe().run(page).response["violations"]]
            found[scheme] = seen | {"heard": heard}
            context.close()
        browser.close()
    return found


@pytest.fixture(scope="module")
def seen(chromium, tmp_path_factory):
    book = Gradebook(tmp_path_factory.mktemp("grades é"), HEAD)
    for one in handed_in():
        book.graded[one.file] = one
    book.save()
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(looked_at, chromium, book.out / "grades.html").result()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_read_in_both_themes_and_by_everybody(seen, scheme):
    assert seen[scheme]["axe"] == [] and seen[scheme]["too wide"] <= 0


def test_what_learners_wrote_is_text(seen):
    one = seen["light"]
    assert one["heard"] == [] and one["elements of theirs"] == 0
    assert "x / 2" in one["code"] and EVIL in one["code"]


def test_a_name_leads_to_what_was_said_of_the_submission(seen):
    (summary,) = seen["light"]["open"]
    assert summary.startswith("Ana Núñez_48213 · 00_a") and 0 <= seen["light"]["in sight"] < 900
