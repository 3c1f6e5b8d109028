"""How a notebook becomes slides: what stands on them, what goes to the notes, where text and code are cut."""

import base64
import io

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image

from lessonkit.teach.slides import sizes
from lessonkit.teach.slides.code import MOST_ROWS, code_blocks, pieces
from lessonkit.teach.slides.cut import cut
from lessonkit.teach.slides.picture import BETWEEN, picture
from lessonkit.teach.slides.prose import passages
from lessonkit.teach.slides.sentences import bet, sentences
from lessonkit.teach.slides.shown import hints, output_blocks, shortened

TITLE = "# 05 · A claim\n\n**60 minutes.**"


def notebook(*cells):
    """A notebook of a title and of `cells`: text is Markdown, a pair is code and what it printed."""
    made = [new_markdown_cell(TITLE)]
    for cell in cells:
        if isinstance(cell, str):
            made.append(new_markdown_cell(cell))
        else:
            source, *printed = cell
            outputs = [new_output("stream", name="stdout", text=text) for text in printed]
            made.append(new_code_cell(source, outputs=outputs, execution_count=len(made)))
    return new_notebook(cells=made)


def on(slide):
    return "".join(block.html for block in slide.blocks)


def in_notes(slide):
    return "".join(slide.notes)


def test_a_step_is_title_bet_code_and_output_which_waits_for_a_key():
    text = "## Part\n\n### How far?\n\nA long story about walking.\n\nTwo steps of 3. How far have you come then?"
    [slide] = cut(notebook(text, ("print(2 * 3)", "6\n")), solved=False)
    assert (slide.part, slide.title, slide.cell) == ("Part", "How far?", 2)
    assert [block.reveals for block in slide.blocks] == [False, False, True]
    assert "How far have you come then?" in slide.blocks[0].html and 'class="bet"' in slide.blocks[0].html
    assert "long story" in in_notes(slide) and "long story" not in on(slide)


def test_text_behind_an_output_reads_it_and_what_asks_leads_on():
    nb = notebook("## One\n\nGo.", ("1 + 1", "2\n"), "It is two.\n\nAnd now, how many will it be?", ("3", "3\n"))
    first, second = cut(nb, solved=False)
    assert "It is two." in in_notes(first) and "It is two." not in on(first) + on(second)
    assert "how many will it be?" in on(second)
    assert first.title == second.title == "One"


def test_a_heading_without_code_shows_its_list_and_question_or_else_its_first_sentences():
    nb = notebook(
        "## Lists\n\n- first\n- second\n\nWords.\n\n## Prose\n\nA first sentence. " + "Many more words. " * 20
    )
    lists, prose = cut(nb, solved=False)
    assert "<li>second</li>" in on(lists) and "Words" not in on(lists)
    assert "A first sentence." in on(prose) and len(on(prose).split()) < 60


def test_imports_and_parameters_are_on_no_slide():
    nb = notebook("## Go", ("import torch",), ("SEED = 0",), ("print(SEED)", "0\n"))
    nb.cells[3].metadata.tags = ["parameters"]
    assert "import torch" not in "".join(map(on, cut(nb, solved=False)))
    nb.cells[4].metadata.tags = ["slide-skip"]
    assert all("print" not in on(slide) for slide in cut(nb, solved=False))


def exercise():
    nb = nbformat.read(sample("05"), 4)
    [number] = [n for n, cell in enumerate(nb.cells) if "ex.train_step.check" in cell.source]
    imports = next(cell for cell in nb.cells if "exercises import training as ex" in cell.source)
    return nb, new_notebook(cells=[nb.cells[0], imports, nb.cells[2], *nb.cells[number - 1 : number + 1]])


def sample(number):
    from lessonkit.notebook.catalog import find, select

    [chapter] = select(find(), (number,))
    return chapter.path


def test_an_exercise_shows_statement_stub_and_a_hint_and_never_the_answer():
    _, nb = exercise()
    slide = cut(nb, solved=False)[-1]
    assert slide.kind == "exercise" and "your code here" in on(slide) and "both" not in slide.title
    assert slide.blocks[-1].reveals and "<strong>Hint:</strong>" in slide.blocks[-1].html
    assert "Hint 3 of 3" in in_notes(slide) and "Not attempted" not in on(slide)
    assert "Our answer" not in in_notes(slide)
    solved = cut(nb, solved=True)[-1]
    assert "Our answer" in in_notes(solved) and "loss.backward()" in in_notes(solved)
    assert "loss.backward()" not in on(solved)


def test_a_question_of_the_clinic_keeps_its_box_and_its_letter_goes_to_the_notes():
    nb = nbformat.read(sample("12"), 4)
    [asked] = [slide for slide in cut(nb, solved=True) if 'data-exercise="case 1"' in on(slide)]
    assert "nn.Linear(1024, 10)" in on(asked) and "None" in on(asked)
    assert "answer = &quot;c&quot;" in in_notes(asked) and "answer = &quot;c&quot;" not in on(asked)


def test_what_a_reader_unfolds_is_in_the_notes_alone():
    folded = "<details><summary>An answer</summary>\n\n```python\nsecret = 42\n```\n</details>"
    nb = notebook("## Try", ("1", "1\n"), f"It is so.\n\n{folded}\n\n## Then\n\n{folded}\n\nGo on.", ("2", "2\n"))
    nb.cells.append(new_markdown_cell(f"### Last\n\n{folded}"))
    slides = cut(nb, solved=False)
    assert "secret" not in "".join(map(on, slides)) and "details" not in "".join(map(on, slides))
    assert [slide.title for slide in slides] == ["Try", "Then", "Last"]
    assert all("secret" in in_notes(slide) and "An answer" in in_notes(slide) for slide in slides)


def test_the_same_notebook_gives_the_same_slides():
    nb = nbformat.read(sample("09"), 4)
    first, second = ([(on(slide), slide.notes) for slide in cut(nb, solved=True)] for _ in range(2))
    assert first == second


def test_code_is_cut_where_a_reader_would_pause():
    source = "def first():\n" + "    x = 1\n" * 14 + "\n\ndef second():\n" + "    y = 2\n" * 14
    lines = source.splitlines()
    (start, end), (again, last) = pieces(lines)
    assert (start, last) == (0, len(lines)) and end == again
    first, second = code_blocks(source)
    assert "first" in first.html and "second" in second.html and second.apart and not first.apart
    assert first.html.count('class="line"') == second.html.count('class="line"') == 15


def test_every_piece_fits_a_slide_and_nothing_is_lost():
    for line in ("x = 1", "", "    if deep: " + "word " * 30, "y" * 400):
        lines = [line, "z"] * 40
        cuts = pieces(lines)
        assert [end for _, end in cuts[:-1]] == [start for start, _ in cuts[1:]] and cuts[-1][1] == len(lines)
        assert all(sum(map(sizes.rows, lines[start:end])) <= MOST_ROWS for start, end in cuts)


@pytest.mark.parametrize(
    ("line", "rows"),
    [("short", 1), ("a" * sizes.COLUMNS, 1), ("word " * 30, 2), ("x " + "y" * (sizes.COLUMNS - 1), 2)],
)
def test_rows_of_a_long_line(line, rows):
    assert sizes.rows(line) == rows


def test_a_long_output_says_what_it_leaves_out():
    told = shortened([f"line {number}" for number in range(1000)], 10, 90)
    assert len(told) == 10 and told[-1] == "… 991 more lines"
    [long] = shortened(["x" * 5000], 20, 90)
    assert long.endswith("more letters") and sizes.rows(long, 90) <= 12


def test_an_error_keeps_the_line_that_raised_and_the_message():
    lines = ["RuntimeError   Traceback", "Cell In[1], line 2", "      1 a = 1", "----> 2 f()"]
    lines += [f"  File torch.py:{n}" for n in range(80)] + ["RuntimeError: shapes differ"]
    output = new_output("error", ename="RuntimeError", evalue="shapes differ", traceback=lines)
    [block] = output_blocks(new_code_cell("f()", outputs=[output]), "it")
    assert "----&gt; 2 f()" in block.html and "RuntimeError: shapes differ" in block.html
    assert "… 80 more lines" in block.html and "torch.py:40" not in block.html


def png(image):
    file = io.BytesIO()
    image.save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()


def test_a_very_high_picture_is_cut_at_an_empty_row_into_two_columns():
    image = Image.new("RGB", (100, 400), "white")
    image.paste("red", (10, 10, 90, 190))
    image.paste("blue", (10, 210, 90, 390))
    block = picture(png(image), "two squares")
    assert (block.width, block.natural) == (200 + BETWEEN, 200) and 'alt="two squares"' in block.html
    image.paste("black", (50, 0, 51, 400))  # no row is empty now
    assert (picture(png(image), "it").width, picture(png(image), "it").natural) == (100, 400)
    assert picture(png(image.resize((400, 300))), "it").width == 400


def test_text_on_a_slide_is_text():
    cell = new_code_cell("1", outputs=[new_output("stream", text="<script>alert(1)</script>")])
    assert "<script>" not in output_blocks(cell, "it")[0].html
    [passage] = passages(
        "<script>alert(1)</script> and [a](javascript:alert) [b](06_save.ipynb) [c](https://x.org/)"
    )
    page = passage.pieces[0].html
    assert "<script>" not in page and page.count("href") == 1 and "https://x.org/" in page


def test_an_output_that_no_slide_can_show_is_refused_with_its_cell():
    nb = notebook("## Go", ("video()",))
    nb.cells[2].outputs = [new_output("display_data", {"video/mp4": "AAAA"})]
    with pytest.raises(ValueError, match=r"cell 3 .*video/mp4; text, HTML, Markdown and PNG can be shown"):
        cut(nb, solved=False)


def test_a_formula_in_tex_is_refused():
    with pytest.raises(ValueError, match="a formula in TeX"):
        passages(r"The slope is $\frac{1}{2}$.")
    assert passages("In a shell: `echo $HOME/$\\x`, and it costs 5 $ or 6 $.")


def test_no_chapter_writes_a_formula_in_tex():
    from lessonkit.notebook.catalog import find

    for chapter in find():
        for cell in nbformat.read(chapter.path, 4).cells:
            if cell.cell_type == "markdown":
                passages(cell.source)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("One. Two three? Four.", ["One.", "Two three?", "Four."]),
        ("It is 3.14. `a. B` stays. *This. That* too.", ["It is 3.14. `a. B` stays. *This. That* too."]),
        ("See fig. 3 there", ["See fig.", "3 there"]),
        ("Say `f(x). Go` now. Done.", ["Say `f(x). Go` now.", "Done."]),
    ],
)
def test_sentences(text, found):
    assert sentences(text) == found


def test_a_bet_keeps_what_must_be_known_while_that_is_short():
    assert bet("Ten bets cost 2.3. What will it be: more or less?").startswith("Ten bets")
    long = " ".join(f"Sentence {n} has six words here." for n in range(20))
    assert bet(f"{long} Which of them is it then?").count("Sentence") < 10
    assert bet(f"Which of all them is it then? {long}") == "Which of all them is it then?"


def test_hints_are_read_from_the_stored_verdict():
    nb, _ = exercise()
    cell = next(cell for cell in nb.cells if "ex.train_step.check" in cell.source)
    assert len(hints(cell)) == 3 and "five lines" in hints(cell)[0]
