"""What a learner does on the first evening, in a real browser: one page, one station after the other.

Each test begins where the one before it ended. Waited for is a state, never a time.
"""

import inspect
import re
import time

import looks
import nbformat
import pytest
from browsers import PATIENCE
from playwright.sync_api import expect

from course_utils import PROJECT
from course_utils.chapters.drawing.digit import read_digit
from course_utils.exercises.start_here import answers
from lessonkit.checks.verdict import STATES
from lessonkit.notebook.folds import HEADING

FIRST, TENSORS, TRAINING = "00_start_here", "01_tensors", "05_training"
# Chapter 05 as far as its model, and then only what its TensorBoard shows: loops and batches, one run, the page.
UP_TO, NEEDED = "e83d7804", ("6cbace44", "75838403", "73ceff1b", "3ae3159a", "ce8c59cc", "46d551da", "9ccd43d7")
BOARD = "c05ftb"  # the heading of the part on TensorBoard, which is folded


def original(name):
    return nbformat.read(PROJECT / "notebooks" / f"{name}.ipynb", 4)


def the_exercise(name, exercise):
    """The id of the cell that checks an exercise."""
    [found] = [cell.id for cell in original(name).cells if f"ex.{exercise}.check({exercise})" in cell.source]
    return found


def in_words(docstring):
    """A docstring as a verdict shows it."""
    return " ".join(docstring.split()).replace("`", "")


def the_cell(words):
    """The id of the cell of chapter 00 whose code has these words."""
    [found] = [cell.id for cell in original(FIRST).cells if cell.cell_type == "code" and words in cell.source]
    return found


def the_first_bet():
    """The id of the first cell of chapter 00 whose output the text asks to predict."""
    return next(cell.id for cell in original(FIRST).cells if "print(tensor * 2)" in cell.source)


def asked(journey):
    """The cell of chapter 00 that asks for the dtype of a half, in the page that is open."""
    return journey.cell(FIRST, the_exercise(FIRST, "half_dtype"))


def test_start_shows_beside_chapter_00(journey):
    expect(journey.start).to_contain_text("Begin here: 00 · Start here")
    expect(journey.start).to_contain_text("The first exercise is Exercise 1: the type of a half.")
    expect(journey.notebook.locator(".jp-Notebook-cell").first).to_contain_text("00 · Start here")
    assert journey.start.bounding_box()["x"] < journey.notebook.bounding_box()["x"]
    usual = journey.page.viewport_size
    for width in (1280, 1440):  # the chapter gets most of the window, and START loses nothing on its right
        journey.page.set_viewport_size(usual | {"width": width})
        page, chapter = (one.bounding_box()["width"] for one in (journey.start, journey.notebook))
        assert page < 0.3 * width < 0.65 * width < chapter
        assert journey.start.evaluate("page => page.scrollWidth <= page.clientWidth")
        journey.screenshot(f"1-start-{width}")
    journey.picture("desk-start")
    journey.page.set_viewport_size(usual)


def test_jupyterlab_prints_nothing_behind_its_address(journey):
    """Though it has opened a page, started a kernel and saved a layout. A kernel's warning is its own."""
    journey.idle()
    said = [line for line in journey.lab.log.splitlines() if line.strip() and not line.startswith("[IPKernelApp]")]
    assert said[-1].strip() == f"{journey.lab.url}lab?token={journey.lab.token}"


def test_a_chapter_opens_without_outputs_or_numbers_and_is_not_unsaved(journey):
    journey.idle()
    expect(journey.notebook.locator(".course-ours").first).to_be_attached()
    assert journey.notebook.locator(".jp-OutputArea-output").count() == 0
    assert {one.strip() for one in journey.notebook.locator(".jp-InputPrompt").all_inner_texts()} <= {"", "[ ]:"}
    expect(journey.page.locator(".lm-TabBar-tab.jp-mod-dirty")).to_have_count(0)


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_what_we_saw_unfolds_by_keyboard_below_its_cell_and_can_be_read_in_both_themes(journey, theme):
    bet = journey.cell(FIRST, the_first_bet())
    fold = bet.locator(".course-ours")
    if theme == "Light":
        expect(fold.locator("> div")).to_be_hidden()
        fold.locator("> summary").focus()
        journey.page.keyboard.press("Enter")
    else:
        journey.menu("Settings", "Theme", "JupyterLab Dark")
        expect(journey.page.locator("body")).to_have_attribute("data-jp-theme-light", "false")
    expect(fold).to_contain_text("This output is ours, not yours.")
    expect(fold).to_contain_text("tensor([6., 8.])")
    assert looks.violations(journey.page, fold) == []
    journey.screenshot(f"1-ours-{theme.lower()}")
    if theme == "Dark":
        journey.menu("Settings", "Theme", "JupyterLab Light")
        expect(journey.page.locator("body")).to_have_attribute("data-jp-theme-light", "true")


def after_the_first_bet():
    """The id of the text that answers the first bet."""
    cells = original(FIRST).cells
    return cells[[cell.id for cell in cells].index(the_first_bet()) + 1].id


def test_an_answer_waits_until_its_cell_was_run_and_a_key_shows_it_before(journey):
    first = journey.cell(FIRST, after_the_first_bet())
    expect(first.locator(".jp-RenderedMarkdown > p", has_text="Python repeated the list.")).to_be_hidden()
    expect(first.locator(".course-waiting")).to_contain_text(
        "The answer appears here when you have run the cell above."
    )
    assert looks.violations(journey.page, first) == []
    journey.screenshot("1-answer-waits")
    cells = original(FIRST).cells
    later = next(cell.id for cell in cells if cell.source.startswith("A thousand images were enough."))
    later = journey.cell(FIRST, later)
    later.scroll_into_view_if_needed()
    expect(later.locator(".jp-RenderedMarkdown > p", has_text="A thousand images were enough.")).to_be_hidden()
    expect(later.get_by_role("heading").first).to_be_visible()  # and what it introduces
    later.get_by_role("button", name="Show it now").focus()
    journey.page.keyboard.press("Enter")
    expect(later.locator(".jp-RenderedMarkdown > p", has_text="A thousand images were enough.")).to_be_visible()
    expect(later.locator(".course-waiting")).to_have_count(0)
    expect(first.locator(".jp-RenderedMarkdown > p", has_text="Python repeated the list.")).to_be_hidden()


def test_a_cell_before_the_first_one_says_which_cell_to_run(journey):
    asking = asked(journey)
    journey.run(asking)
    expect(asking).to_contain_text("`ex` is made by the cell with the line `from course_utils.exercises import")
    journey.screenshot("1-name")


def test_an_own_run_shows_an_own_output_and_leaves_ours_in_its_fold(journey):
    bet = journey.cell(FIRST, the_first_bet())
    for cell in (journey.notebook.locator(".jp-CodeCell").first, bet):
        journey.run(cell)
    expect(bet.locator(".jp-OutputArea-output")).to_contain_text("tensor([6., 8.])")
    expect(bet.locator(".course-ours")).to_contain_text("This output is ours, not yours.")
    answer = journey.cell(FIRST, after_the_first_bet())
    expect(answer.locator(".jp-RenderedMarkdown > p", has_text="Python repeated the list.")).to_be_visible()
    expect(answer.locator(".course-waiting")).to_have_count(0)


@pytest.mark.parametrize("chapter", ["04", "08", "06", "03", "13"])
def test_a_link_of_the_glossary_selects_its_cell_alone_in_a_closed_chapter(journey, chapter):
    """JupyterLab itself selected all cells from the first to that one, out of sight of Shift+Enter and `x`."""
    if journey.glossary.count() == 0:
        journey.start.get_by_role("link", name="glossary").click()
    journey.page.get_by_role("tab", name="glossary.md").click()
    link = journey.glossary.locator(f'a[href*="{chapter}_"][href*="#cell-id="]').last
    identity = link.get_attribute("href").rpartition("=")[2]
    link.click()
    expect(journey.notebook).to_be_visible()
    name = next(path.stem for path in journey.lab.work.glob(f"{chapter}_*.ipynb"))
    journey.lands_at(journey.cell(name, identity))
    journey.screenshot(f"1-glossary-{chapter}")
    journey.menu("File", "Close Tab")
    expect(journey.page.get_by_role("tab", name=f"{name}.ipynb")).to_have_count(0)


def test_a_link_of_start_unfolds_the_part_of_its_exercise_and_no_other(journey):
    """First in a chapter that is closed, then in the same one, which is open; START stays in view beside it."""
    for title, name in (("Exercise 6: the nearest neighbour", "nearest"), ("Exercise 4: the mean", "group_means")):
        journey.start.get_by_role("link", name=title).click()
        expect(journey.notebook.locator(".jp-Notebook-cell").first).to_contain_text("01 · ")
        journey.lands_at(journey.cell(TENSORS, the_exercise(TENSORS, name)))
        expect(journey.start).to_be_visible()
        assert journey.folded() > 10
        journey.screenshot(f"1-folded-{name}")


def test_shift_enter_never_goes_on_in_a_cell_that_a_folded_heading_hides(journey):
    """From the last cell of the core it goes to the heading, and unfolds that on its way on."""
    folded = [number for number, cell in enumerate(original(TENSORS).cells) if HEADING in cell.metadata]
    before, heading, inside = (journey.notebook.locator(".jp-Notebook-cell").nth(folded[0] + n) for n in (-1, 0, 1))
    hidden = journey.folded()
    journey.select(before)
    expect(inside).to_be_hidden()
    journey.page.keyboard.press("Shift+Enter")
    journey.lands_at(heading)
    assert journey.folded() == hidden
    journey.page.keyboard.press("Shift+Enter")
    journey.lands_at(inside)
    assert 0 < journey.folded() < hidden


def test_a_folded_code_cell_opens_by_keyboard_and_by_its_bar(journey):
    folded = next(
        cell for cell in original(TENSORS).cells[2:] if "source_hidden" in cell.metadata.get("jupyter", {})
    )
    cell = journey.cell(TENSORS, folded.id)
    code, placeholder = cell.locator(".cm-content"), cell.locator(".jp-InputPlaceholder")
    cell.scroll_into_view_if_needed()
    cell.locator(".jp-InputCollapser").click()
    expect(placeholder).to_have_count(0)
    expect(code).to_be_visible()
    cell.locator(".jp-InputCollapser").click()
    expect(placeholder).to_be_visible()
    for key in ("Escape", "Enter"):
        journey.page.keyboard.press(key)
    expect(placeholder).to_have_count(0)
    expect(code).to_be_visible()


def test_run_all_runs_folded_cells_too(journey):
    assert journey.folded() > 10
    journey.run_all()
    assert journey.folded() > 10
    journey.page.keyboard.press("Control+s")
    expect(journey.page.locator(".lm-TabBar-tab.jp-mod-dirty")).to_have_count(0)
    copy = nbformat.read(journey.lab.work / f"{TENSORS}.ipynb", 4)
    assert [cell.id for cell in copy.cells if cell.cell_type == "code" and cell.execution_count is None] == []
    journey.menu("File", "Close Tab")
    expect(journey.page.get_by_role("tab", name=f"{TENSORS}.ipynb")).to_have_count(0)


def test_a_deleted_exercise_comes_back(journey):
    """After the chapter was saved without it, by the command; JupyterLab loads the file anew."""
    journey.page.get_by_role("tab", name=f"{FIRST}.ipynb").click()
    identity = the_exercise(FIRST, "half_dtype")
    journey.select(asked(journey))
    for key in ("Escape", "d", "d", "Control+s"):
        journey.page.keyboard.press(key)
    expect(journey.page.locator(".lm-TabBar-tab.jp-mod-dirty")).to_have_count(0)
    assert identity not in (journey.lab.work / f"{FIRST}.ipynb").read_text(encoding="utf-8")
    said = journey.lab.course("restore", "00", "half_dtype")
    assert "The exercise half_dtype is in" in said
    journey.menu("File", "Reload Notebook from Disk")
    expect(asked(journey)).to_contain_text("half_dtype = ...")


def test_run_all_shows_every_picture(journey):
    journey.run_all()
    errors = journey.notebook.locator('.jp-OutputArea-output[data-mime-type="application/vnd.jupyter.stderr"]')
    raising = [cell for cell in original(FIRST).cells if "raises-exception" in cell.metadata.get("tags", ())]
    expect(errors).to_have_count(len(raising))
    outputs = [output for cell in original(FIRST).cells for output in cell.get("outputs", ())]
    stored = sum("image/png" in output.get("data", ()) for output in outputs)
    pictures = journey.notebook.locator(".jp-OutputArea-output img")
    expect(pictures.nth(stored - 1)).to_be_attached()
    assert pictures.evaluate_all(looks.PICTURES) == []
    expect(journey.notebook.locator(".jp-OutputArea-output canvas")).to_have_count(1)  # the pad to draw on
    pictures.first.scroll_into_view_if_needed()
    journey.screenshot("2-pictures")
    curve = journey.cell(FIRST, the_cell("learning_curve(accuracies)"))
    curve.scroll_into_view_if_needed()
    journey.picture("desk-curve", curve)


def test_no_line_of_code_is_cut_off_beside_start(journey):
    usual = journey.page.viewport_size
    for width in (1280, 1440):
        journey.page.set_viewport_size(usual | {"width": width})
        editors = journey.notebook.locator(".jp-CodeCell .cm-scroller")
        assert editors.count() > 20
        cut = editors.evaluate_all(
            "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.innerText)"
        )
        assert cut == []
        # Without a line that is wrapped, the test would have nothing to find.
        lines = journey.notebook.locator(".jp-CodeCell .cm-line")
        heights = lines.evaluate_all("all => all.map(one => one.offsetHeight).filter(height => height)")
        assert max(heights) > 1.6 * min(heights)
        journey.screenshot(f"2-code-{width}")
    journey.page.set_viewport_size(usual)


def test_a_digit_drawn_with_the_mouse_is_saved_and_the_next_cell_reads_it(journey):
    """The next cell reads the sample and says so, then the drawing, then, once it is cleared, the sample again."""
    drawing, reading = (journey.cell(FIRST, the_cell(words)) for words in ("DrawingPad(", "read_digit(pad.path)"))
    saved = journey.lab.work / "results" / FIRST / "digit.png"
    expect(reading).to_contain_text("There is no drawing yet, so this is the sample of the course, a 3.")
    assert not saved.exists()
    drawing.scroll_into_view_if_needed()
    canvas, said = drawing.locator("canvas"), drawing.get_by_role("status")
    assert looks.violations(journey.page, canvas.locator("..")) == []
    place, mouse = canvas.bounding_box(), journey.page.mouse
    for x, y in ((150, 40), (145, 240)):  # a 1
        mouse.move(place["x"] + x, place["y"] + y, steps=10)
        mouse.down()
    mouse.up()
    expect(said).to_contain_text(f"Saved as results/{FIRST}/digit.png. Run the next cell")
    journey.screenshot("2-drawn")
    assert read_digit(saved)[1] == f"This is your digit, from {saved.as_posix()}."
    journey.run(reading)
    expect(reading).to_contain_text(f"This is your digit, from results/{FIRST}/digit.png.")
    journey.screenshot("2-read")
    journey.run(drawing)
    expect(said).to_contain_text("This is what results/")
    journey.screenshot("2-again")
    drawing.get_by_role("button", name="Clear").click()
    expect(said).to_contain_text("The square is empty.")
    journey.run(reading)
    expect(reading).to_contain_text("digit.png is empty, so this is the sample")


def test_a_wrong_answer_gets_its_own_explanation_and_hints_unfold_by_keyboard(journey):
    verdict = journey.answer(asked(journey), "half_dtype = torch.int64")
    expect(verdict).to_have_attribute("data-state", "known mistake")
    expect(verdict).to_contain_text(in_words(inspect.getdoc(answers.kept_whole_numbers)))
    assert answers.half_dtype.hints
    for number, hint in enumerate(answers.half_dtype.hints):
        folded = verdict.locator(".course-hint").nth(number)
        expect(folded.locator("> div").first).to_be_hidden()
        folded.locator("> summary").focus()
        journey.page.keyboard.press("Enter")
        expect(folded.locator("> div").first).to_be_visible()
        expect(folded.locator("> div").first).to_have_text(in_words(hint))
    journey.screenshot("3-wrong")
    journey.picture("desk-verdict", asked(journey))


def test_a_right_answer_gets_its_tick_and_start_shows_it(journey):
    verdict = journey.answer(asked(journey), "half_dtype = torch.float32")
    expect(verdict).to_have_attribute("data-state", "passed")
    expect(verdict.get_by_role("img", name="passed")).to_have_text("✓")
    expect(journey.start).to_contain_text("✓ Exercise 1: the type of a half")
    expect(journey.start).to_contain_text("Next: Exercise 2: bytes to fractions")
    journey.start.get_by_role("link", name="Exercise 2: bytes to fractions").first.click()  # in the chapter at hand
    journey.lands_at(journey.cell(FIRST, the_exercise(FIRST, "to_unit")))
    expect(journey.start).to_be_visible()
    journey.screenshot("4-right")


def test_the_answer_is_there_when_the_page_is_opened_again(journey):
    journey.page.keyboard.press("Control+s")
    copy = journey.lab.work / f"{FIRST}.ipynb"
    expect(journey.page.locator(".lm-TabBar-tab.jp-mod-dirty")).to_have_count(0)
    assert "half_dtype = torch.float32" in copy.read_text(encoding="utf-8")
    journey.page.close()
    journey.open()
    answered = asked(journey)
    expect(answered.locator(".cm-line").first).to_have_text("half_dtype = torch.float32")
    expect(answered.locator(".course-verdict")).to_have_attribute("data-state", "passed")
    expect(journey.start).to_contain_text("✓ Exercise 1: the type of a half")
    journey.idle()
    answered.scroll_into_view_if_needed()
    journey.screenshot("5-again")


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_verdicts_and_start_can_be_read_in_both_themes_and_by_everybody(journey, theme):
    if theme == "Dark":
        journey.menu("Settings", "Theme", "JupyterLab Dark")
        expect(journey.page.locator("body")).to_have_attribute("data-jp-theme-light", "false")
    folded = journey.notebook.locator(".jp-showHiddenCellsButton").filter(visible=True)
    while folded.count():  # the parts of *Further*
        folded.first.click()
    boxes = journey.notebook.locator(".course-verdict").filter(visible=True)
    assert {box.get_attribute("data-state") for box in boxes.all()} == set(STATES)  # chapter 00 shows each
    assert looks.pale(boxes) == []
    pad = journey.notebook.locator("[data-pad]")
    assert looks.violations(journey.page, boxes.or_(journey.start).or_(pad)) == []
    pad.scroll_into_view_if_needed()
    journey.screenshot(f"6-pad-{theme.lower()}")
    boxes.nth(3).scroll_into_view_if_needed()
    journey.screenshot(f"6-{theme.lower()}")


def test_tensorboard_opens_in_the_page_and_shows_the_loss(journey):
    journey.start.get_by_role("link", name="05 ·").first.click()
    expect(journey.notebook.locator(".jp-Notebook-cell").first).to_contain_text("05 · ")
    expect(journey.start).to_be_visible()  # the chapter stands beside it
    journey.idle()
    journey.select(journey.cell(TRAINING, UP_TO))
    journey.menu("Run", "Run All Above Selected Cell")
    journey.unfold(journey.cell(TRAINING, BOARD))
    for identity in NEEDED:
        journey.run(journey.cell(TRAINING, identity))
    shown = journey.cell(TRAINING, NEEDED[-1]).locator("iframe")
    shown.scroll_into_view_if_needed()
    board = shown.content_frame
    expect(board.get_by_text("loss/train").first).to_be_visible()
    curve = re.compile(r"M[-\d.,e]+(L[-\d.,e]+){50}")  # one of fifty steps at least
    expect(board.locator("path.line").first).to_have_attribute("d", curve)
    journey.screenshot("7-tensorboard")


def test_a_peek_into_a_later_chapter_leaves_next_where_it_was(journey):
    journey.start.get_by_role("link", name="12 ·").first.click()
    expect(journey.notebook.locator(".jp-Notebook-cell").first).to_contain_text("12 · ")
    expect(journey.start).to_be_visible()
    expect(journey.start).to_contain_text("Next: Exercise 2: bytes to fractions")


def test_a_link_of_start_opens_beside_it_where_start_is_the_only_tab(journey):
    tabs = journey.page.locator("#jp-main-dock-panel .lm-TabBar-tab", has_text=".ipynb")
    discard = journey.page.locator(".jp-Dialog").get_by_role("button", name="Discard")
    while there := tabs.count():
        tabs.first.locator(".lm-TabBar-tabCloseIcon").click()
        until = time.monotonic() + PATIENCE
        while tabs.count() == there and time.monotonic() < until:
            if discard.count():  # JupyterLab asks about a chapter that was changed
                discard.click()
            journey.page.wait_for_timeout(100)
    journey.start.get_by_role("link", name="Exercise 2: bytes to fractions").first.click()
    expect(journey.notebook.locator(".jp-Notebook-cell").first).to_contain_text("00 · ")
    journey.lands_at(journey.cell(FIRST, the_exercise(FIRST, "to_unit")))
    expect(journey.start).to_be_visible()
    page, chapter = journey.start, journey.notebook
    assert page.bounding_box()["x"] < chapter.bounding_box()["x"]
    assert page.bounding_box()["width"] < 0.4 * journey.page.viewport_size["width"]
    journey.screenshot("8-only-start")


def test_a_chapter_that_is_a_tab_behind_start_is_moved_beside_it(journey):
    tab = journey.page.locator("#jp-main-dock-panel .lm-TabBar-tab", has_text="00_start_here.ipynb")
    place, to = tab.bounding_box(), journey.start.bounding_box()
    mouse = journey.page.mouse
    mouse.move(place["x"] + 60, place["y"] + 10)
    mouse.down()
    mouse.move(to["x"] + to["width"] / 2, to["y"] + to["height"] / 2, steps=20)
    mouse.up()
    expect(journey.start).to_be_hidden()  # the chapter is in its area now, and in front
    journey.page.locator("#jp-main-dock-panel .lm-TabBar-tab", has_text="START.md").click()
    expect(journey.start).to_be_visible()
    journey.start.get_by_role("link", name="Exercise 2: bytes to fractions").first.click()
    expect(journey.notebook).to_be_visible()
    expect(journey.start).to_be_visible()
    assert journey.start.bounding_box()["x"] < journey.notebook.bounding_box()["x"]


def test_a_page_that_start_links_to_is_shown_to_be_read(journey):
    journey.start.get_by_role("link", name="glossary").click()
    pages = journey.page.locator(".jp-MarkdownViewer", has_text="Glossary")
    expect(pages.filter(has_not_text="Where you are")).to_be_visible()
    expect(journey.page.locator(".jp-MarkdownViewer", has_text="Where you are")).to_be_visible()


def test_a_link_to_a_chapter_that_is_gone_says_what_brings_it_back(journey):
    copy = journey.lab.work / "07_finetune.ipynb"
    aside = copy.rename(journey.lab.work / "mine.txt")
    journey.page.locator(".jp-MarkdownViewer", has_text="Where you are").get_by_role(
        "link", name="07 ·"
    ).first.click()
    said = "07_finetune.ipynb is not in this folder. `course update` in a terminal makes a new copy."
    expect(journey.page.get_by_text(said, exact=False).first).to_be_visible()
    aside.rename(copy)
    journey.errors[:] = [error for error in journey.errors if "07_finetune.ipynb" not in error]  # the browser's 404


def test_an_original_opened_by_mistake_is_not_unsaved_and_offers_the_copy(journey):
    """Not once its kernel is there either. Saved all the same, it is as it was, and closing it asks nothing."""
    path = PROJECT / "notebooks" / f"{TENSORS}.ipynb"
    before = path.read_bytes()
    journey.page.goto(f"{journey.lab.url}lab/tree/notebooks/{TENSORS}.ipynb")
    said = journey.page.get_by_text(f"notebooks/{TENSORS}.ipynb is the course's original")
    expect(said).to_be_visible()
    journey.idle()
    journey.select(journey.notebook.locator(".jp-CodeCell").nth(1))
    journey.page.wait_for_timeout(3000)  # what JupyterLab writes late would be seen by now
    expect(journey.page.locator(".lm-TabBar-tab.jp-mod-dirty")).to_have_count(0)
    journey.page.keyboard.press("Control+s")
    expect(journey.page.locator("#jp-main-statusbar")).not_to_contain_text("Saving started")
    journey.screenshot("9-original")
    journey.menu("File", "Close Tab")
    expect(journey.page.get_by_role("tab", name=f"{TENSORS}.ipynb")).to_have_count(0)
    expect(journey.page.locator(".jp-Dialog")).to_have_count(0)
    assert path.read_bytes() == before
    journey.page.get_by_role("button", name="Open my copy").click()
    expect(journey.notebook.locator(".jp-Notebook-cell").first).to_contain_text("01 · ")


def test_the_console_holds_no_error(journey):
    assert journey.errors == []
