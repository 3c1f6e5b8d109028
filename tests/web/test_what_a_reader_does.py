"""What a reader does on the site in Chromium: start, predict, copy, filter, search, on a phone and in the dark."""

import re

import pytest

WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36"
MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15"
LINUX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
PHONE = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1"
OTHER = "Mozilla/5.0 (PlayStation 5) AppleWebKit/605.1.15 Safari/605.1.15"
# Whatever the user agent says, Chromium fills these properties for its own system.
PLATFORM = """
Object.defineProperty(navigator, "userAgentData", { value: undefined });
Object.defineProperty(navigator, "platform", { value: %r });
Object.defineProperty(navigator, "maxTouchPoints", { value: %d });
"""


@pytest.mark.parametrize(
    ("agent", "platform", "touch", "words", "opened_system"),
    [
        (WINDOWS, "Win32", 0, "Start on Windows", "windows"),
        (WINDOWS, "Win32", 10, "Start on Windows", "windows"),  # a laptop with a touch screen
        (MAC, "MacIntel", 0, "Start on a Mac", "mac"),
        (LINUX, "Linux x86_64", 0, "Start on Linux", "linux"),
        (PHONE, "Linux armv81", 5, "Start", None),
        (IPHONE, "iPhone", 5, "Start", None),
        (MAC, "MacIntel", 5, "Start", None),  # an iPad
        (OTHER, "", 0, "Start", None),
    ],
)
def test_the_button_fits_the_visitors_system(opened, agent, platform, touch, words, opened_system):
    page = opened("index", user_agent=agent, before=PLATFORM % (platform, touch))
    start = page.locator("#course-start")
    assert start.inner_text() == words
    assert page.locator("details.course-system[open]").evaluate_all("all => all.map(one => one.id)") == (
        [f"start-{opened_system}"] if opened_system else []
    )
    assert page.locator(".course-phone").is_visible() == (touch == 5)
    start.click()
    assert page.locator(f"#start-{opened_system}" if opened_system else "#start").first.is_visible()
    assert page.complaints == []


def test_without_scripts_the_button_leads_to_the_list_of_all_systems(opened):
    page = opened("index", java_script_enabled=False)
    assert page.locator("#course-start").get_attribute("href") == "#start"
    assert page.locator("details.course-system").count() == 4
    page.locator("#start-windows > summary").click()
    assert page.locator("#start-windows pre").is_visible()


def test_the_picture_of_the_first_page_is_shown_whole(opened):
    for width in (390, 1280, 1440):
        page = opened("index", viewport={"width": width, "height": 900})
        box, size = page.locator(".course-picture img").evaluate(
            "one => [one.getBoundingClientRect(), [one.naturalWidth, one.naturalHeight]]"
        )
        style = page.locator(".course-picture img").evaluate("one => getComputedStyle(one).padding")
        padding = 2 * float(re.match(r"[\d.]+", style)[0])
        shape = (box["width"] - padding) / (box["height"] - padding)
        assert shape == pytest.approx(size[0] / size[1], rel=0.02)
        assert box["left"] >= 0 and box["right"] <= width


@pytest.mark.parametrize("scripts", [True, False])
def test_a_prediction_comes_before_its_output(opened, scripts):
    page = opened("notebooks/00_start_here", java_script_enabled=scripts)
    fold = page.locator("details.below-input").first
    output = fold.locator(".cell_output")
    assert fold.locator("summary").inner_text() == "Show the output" and not output.is_visible()
    fold.locator("summary").focus()
    page.keyboard.press("Enter")
    assert output.is_visible() and fold.locator("summary").inner_text() == "Hide the output"


@pytest.mark.parametrize("scripts", [True, False])
def test_a_plot_is_seen_and_the_code_that_draws_it_unfolds(opened, shots, scripts):
    page = opened("notebooks/01_tensors", java_script_enabled=scripts)
    fold = page.locator("details.above-input").filter(has_text="Show the code that draws this").first
    code, plot = fold.locator(".cell_input"), page.locator(".cell", has=fold).locator(".cell_output img").first
    assert plot.is_visible() and not code.is_visible()
    fold.locator("summary").focus()
    page.keyboard.press("Enter")
    assert code.is_visible() and plot.is_visible()
    assert fold.locator("summary").inner_text() == "Hide the code that draws this"
    page.keyboard.press("Enter")
    assert not code.is_visible()
    plot.scroll_into_view_if_needed()
    page.screenshot(path=shots / f"folded-code-{scripts}.png")


def test_one_button_opens_every_output_and_folds_it_again(opened):
    page = opened("notebooks/00_start_here")
    folds, button = page.locator("details.below-input"), page.locator(".course-all")
    is_open = "all => all.filter(one => one.open).length"
    assert folds.evaluate_all(is_open) == 0 and button.inner_text() == "Show all outputs"
    button.click()
    assert folds.evaluate_all(is_open) == folds.count() > 10
    page.wait_for_function("document.querySelector('.course-all').textContent.startsWith('Fold')")
    button.click()
    assert folds.evaluate_all(is_open) == 0


@pytest.mark.parametrize("name", ["notebooks/05_training", "index", "install"])
def test_a_copy_button_copies_the_code_and_nothing_else(opened, name):
    page = opened(name, permissions=["clipboard-read", "clipboard-write"])
    blocks = page.locator("[role=main] .highlight:has(> .course-copy):visible")
    assert blocks.count() > 0 and page.locator(".cell_output .course-copy").count() == 0
    block = blocks.last
    block.hover()
    button = block.locator(".course-copy")
    assert button.get_attribute("aria-label") == "Copy the code"
    button.click()
    page.wait_for_function("document.querySelector('.course-copy:focus')?.textContent === 'Copied'")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == block.locator("pre").text_content().removesuffix("\n") and "Copy" not in copied


@pytest.mark.parametrize("width", [390, 1280, 1440])
@pytest.mark.parametrize(
    "name", ["notebooks/00_start_here", "notebooks/03_datasets", "notebooks/12_clinic", "index"]
)
def test_every_line_of_code_can_be_seen_to_its_end(opened, name, width):
    page = opened(name, viewport={"width": width, "height": 900})
    cut = page.evaluate(
        """() => [...document.querySelectorAll("[role=main] .highlight pre")]
        .filter(one => !one.closest(".cell_output") && one.scrollWidth > one.clientWidth + 1)
        .map(one => one.textContent.slice(0, 60))"""
    )
    assert cut == []
    assert page.locator("[role=main] pre .line").count() > 3


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_plots_suit_the_theme_and_pictures_keep_their_colours(opened, theme):
    page = opened("notebooks/05_training", color_scheme=theme)
    look = "one => getComputedStyle(one).filter"
    assert ("invert" in page.locator("img.course-plot").first.evaluate(look)) == (theme == "dark")
    assert "invert" not in page.locator(".cell_output img:not(.course-plot)").first.evaluate(look)


def test_the_clinic_filters_its_cases_and_says_how_many_there_are(opened):
    page = opened("clinic")
    height = page.evaluate("document.documentElement.scrollHeight")
    assert height < 15_000
    cases, count = page.locator("details.clinic-case"), page.locator("#clinic-count")
    every = cases.count()
    for words, wanted in (("mat1 MAT2", "mm_shapes"), ("out of memory", None), ("inplace  operation", None)):
        page.fill("#clinic-filter", words)
        shown = page.locator("details.clinic-case:visible")
        assert 0 < shown.count() < every
        assert count.inner_text() == f"{shown.count()} of {every} cases contain this."
        for text in shown.evaluate_all("all => all.map(one => one.textContent.toLowerCase())"):
            assert all(word in text for word in words.lower().split())
        assert wanted is None or page.locator(f"#{wanted}").is_visible()
    page.fill("#clinic-filter", "<b>no such words")
    assert page.locator("details.clinic-case:visible").count() == 0
    assert count.inner_text().startswith("No case contains this.")
    assert page.locator("main h3:visible, article h3:visible").count() == 0
    page.fill("#clinic-filter", "")
    assert page.locator("details.clinic-case:visible").count() == every and count.inner_text() == ""


def test_a_case_that_an_address_names_is_open(opened):
    page = opened("clinic")
    page.click("#clinic-example")
    link = page.locator("#clinic-answer li[data-case=mm_shapes] a")
    link.wait_for()
    page.fill("#clinic-filter", "nothing has these words")
    link.click()
    page.wait_for_selector("#mm_shapes[open] dl")
    assert page.locator("#mm_shapes dl").is_visible() and page.input_value("#clinic-filter") == ""
    page.goto(page.url.partition("#")[0] + "#cat_sizes")
    page.wait_for_selector("#cat_sizes[open]")
    assert page.complaints == []


@pytest.mark.parametrize("term", ["learning rate", "weight decay", "scheduler", "gradient"])
def test_the_search_for_a_term_begins_where_it_is_explained(opened, served, term):
    page = opened("search", base=served)
    page.goto(f"{served}/search.html?q={term.replace(' ', '+')}")
    page.wait_for_selector("#search-results li p.context")
    first = page.locator("#search-results li > a").evaluate_all(
        "all => all.slice(0, 2).map(one => one.textContent)"
    )
    assert f"Glossary: {term}" in first, first


def test_the_search_shows_and_marks_words_from_their_beginning(opened, served):
    page = opened("search", base=served)
    page.goto(f"{served}/search.html?q=learning+rate")
    page.wait_for_function("document.querySelectorAll('#search-results li p.context').length > 8")
    texts = page.locator("#search-results li p.context").all_inner_texts()
    assert any("learning rate" in text.lower() for text in texts)
    assert not [text for text in texts if "enumerate(" in text and "rate" not in text.replace("enumerate(", "")]
    marked = (
        "all => all.map(one => [one.textContent.toLowerCase(), one.previousSibling?.textContent?.at(-1) ?? ' '])"
    )
    found = page.locator("#search-results span.highlighted").evaluate_all(marked)
    assert found and not [pair for pair in found if pair[1].isalnum()]
    page.locator("#search-results li > a[href*='05_training']").last.click()
    page.wait_for_selector("[role=main] span.highlighted", state="attached")
    found = page.locator("[role=main] span.highlighted").evaluate_all(marked)
    assert not [pair for pair in found if pair[1].isalnum()]


def test_words_stay_marked_only_on_the_page_of_a_result(opened, served):
    page = opened("search", base=served)
    page.goto(f"{served}/search.html?q=rate")
    page.wait_for_selector("#search-results li p.context")
    page.goto(f"{served}/notebooks/05_training.html")
    page.wait_for_timeout(300)
    assert page.locator("span.highlighted, .highlight-link").count() == 0
