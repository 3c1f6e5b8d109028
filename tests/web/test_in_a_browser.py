"""The site in Chromium: two widths, two themes, no scripts; search; clinic against `course diagnose`."""

import json
import re
import sys
import tomllib

import pytest
from axe_playwright_python.sync_playwright import Axe

from course_utils import PROJECT
from torch_clinic.diagnosis import diagnose

LOOKED_AT = (
    "index",
    "for_maintainers",
    "notebooks/01_tensors",
    "notebooks/05_training",
    "notebooks/11_allreduce",
    "clinic",
    "benchmarks/allreduce",
    "notebooks/glossary",
)
WIDTHS, THEMES = (390, 1280, 1440), ("light", "dark")
TEXTS = {
    f"{path.stem}-{name}": table["text"]
    for path in sorted((PROJECT / "tests" / "torch_clinic" / "fresh").glob("*.toml"))
    for name, table in tomllib.loads(path.read_text(encoding="utf-8")).items()
}

# What axe finds depends on the colours and on whether the side bar is shown. It takes seconds for each page.
EXAMINED = ((WIDTHS[-1], "light"), (WIDTHS[-1], "dark"), (WIDTHS[0], "light"))


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", LOOKED_AT)
def test_a_page_looks_as_it_should(name, width, theme, opened, shots):
    page = opened(name, viewport={"width": width, "height": 1000}, color_scheme=theme)
    page.evaluate("document.fonts.ready")
    sideways = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    page.screenshot(path=shots / f"{name.replace('/', '-')}-{width}-{theme}.png")
    assert sideways <= 0
    blank = page.locator("img").evaluate_all(
        "async all => { await Promise.allSettled(all.map(one => one.decode()));"
        " return all.filter(one => !one.naturalWidth).map(one => one.src); }"
    )
    assert blank == []
    assert page.complaints == []
    if (width, theme) not in EXAMINED:
        return
    found = Axe().run(page, options={"resultTypes": ["violations"], "preload": False}).response["violations"]
    assert [f"{one['id']}: {[node['html'][:100] for node in one['nodes'][:5]]}" for one in found] == []


@pytest.mark.parametrize("name", ["notebooks/05_training", "clinic"])
def test_a_page_can_be_read_without_scripts(name, opened):
    page = opened(name, java_script_enabled=False)
    assert page.locator("h1").inner_text().strip()
    assert page.locator("main, article").first.inner_text().count(" ") > 500
    assert page.locator("nav, aside").first.is_visible()


@pytest.mark.parametrize("host", ["a file", "a static host"])
def test_the_search_finds(host, opened, served):
    page = opened("search", base=served if host == "a static host" else None)
    page.goto(page.url + "?q=all-reduce")
    page.wait_for_selector("#search-results li", timeout=60_000)
    assert any("11" in text for text in page.locator("#search-results li a").all_inner_texts())
    # From a file a browser lets no script read other pages: the results come without their lines of text.
    cut = ("Access to fetch at 'file://", "file://", "Failed to") if host == "a file" else ()
    assert [said for said in page.complaints if not said.startswith(cut)] == []


def test_the_clinic_says_what_course_diagnose_says(opened):
    assert len(TEXTS) >= 100
    page = opened("clinic")
    words = ("case", "score", "line", "title", "look", "read", "fix")
    for name, text in TEXTS.items():
        there = page.evaluate("text => courseDiagnose(text)", text)
        here = diagnose(text)
        assert [[row[word] for word in words] for row in there["findings"]] == [
            [getattr(finding, word) for word in words] for finding in here
        ], name
        assert here or there["nothing"] == str(here), name


def test_a_pasted_traceback_is_answered_in_the_page_and_is_never_html(opened, shots):
    page = opened("clinic")
    text = next(text for name, text in TEXTS.items() if "cat_sizes" in name)
    page.fill("#clinic-text", text.replace("self.out", "<img src=x onerror=alert(1)>"))
    first = page.locator("#clinic-answer li").first
    first.wait_for()
    assert first.get_attribute("data-case") == "cat_sizes"
    assert page.locator("#clinic-answer img").count() == 0
    page.screenshot(path=shots / "clinic-answered.png")
    page.fill("#clinic-text", "hello, how are you")
    page.wait_for_function("document.getElementById('clinic-answer').innerText.includes('do not know')")
    page.click("#clinic-clear")
    assert page.locator("#clinic-answer").inner_text() == ""
    assert page.complaints == []


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"(?P<n>\d+) x (?P=n)", "a 12 x 12"),
        (r"(?i:ERROR) in [^a-c]+$", "eRRor in xyz\n"),
        (r"\w+ {2,3}é(?=!)", "straße  é!"),
        (r"(?<!un)known|[\]\-^]", "unknown ^"),
    ],
)
def test_an_expression_means_the_same_in_the_page(opened, pattern, text):
    sys.path.insert(0, str(PROJECT / "web"))
    from regexes import to_javascript

    there = opened("index").evaluate(
        f"([source, flags]) => new RegExp(source, flags).exec({json.dumps(text)})[0]",
        to_javascript(re.compile(pattern)),
    )
    assert there == re.search(pattern, text)[0]
