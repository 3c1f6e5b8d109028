"""How a notebook becomes slides: what stands on them, what goes to the notes, where text and code are cut."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from lessonkit.notebook.catalog import find, notebook_of, select
from lessonkit.notebook.folds import is_folded
from lessonkit.notebook.outputs import texts
from lessonkit.teach.slides.cut import cut
from lessonkit.teach.slides.prose import passages, to_html
from lessonkit.teach.slides.sentences import bet, sentences
from lessonkit.teach.slides.shown import described, hints, outputs
from lessonkit.teach.slides.slide import MOST_ROWS, ROWS, code_blocks, rows

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
    """What a slide shows, as the exporter gets it: Markdown, code and outputs."""
    return "\n".join(shown(block) for block in slide.blocks)


def shown(block):
    outputs = block.get("outputs", ())
    return "\n".join([block.source, *("\n".join(texts(output)) for output in outputs)])


def looks(slide):
    """The kinds of a slide's blocks, in order."""
    return [tag for block in slide.blocks for tag in block.metadata.tags]


def waiting(slide):
    """Which of a slide's blocks wait for a key."""
    types = [cell.metadata.slideshow.slide_type for cell in slide.cells("", 1)]
    assert types[:2] == ["slide", "notes"]
    return [one == "fragment" for one in types[2:]]


def in_notes(slide):
    return "\n".join(slide.notes)


def test_a_step_is_title_bet_code_and_output_which_waits_for_a_key():
    text = "## Part\n\n### How far?\n\nA long story about walking.\n\nTwo steps of 3. How far have you come then?"
    [slide] = cut(notebook(text, ("print(2 * 3)", "6\n")), solved=False)
    assert (slide.part, slide.title, slide.cell) == ("Part", "How far?", 2)
    assert looks(slide) == ["bet", "code", "output"] and waiting(slide) == [False, False, True]
    assert "How far have you come then?" in slide.blocks[0].source
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
    assert "- second" in on(lists) and "Words" not in on(lists)
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
    assert looks(slide)[-1] == "hint" and waiting(slide)[-1] and "**Hint:**" in slide.blocks[-1].source
    assert "Hint 3 of 3" in in_notes(slide) and "Not attempted" not in on(slide)
    assert "Our answer" not in in_notes(slide)
    solved = cut(nb, solved=True)[-1]
    assert "Our answer" in in_notes(solved) and "loss.backward()" in in_notes(solved)
    assert "loss.backward()" not in on(solved)


def test_a_question_of_the_clinic_keeps_its_box_and_its_letter_goes_to_the_notes():
    nb = nbformat.read(sample("12"), 4)
    [asked] = [slide for slide in cut(nb, solved=True) if 'data-exercise="case 1"' in on(slide)]
    assert "nn.Linear(1024, 10)" in on(asked) and "None" in on(asked)
    assert 'answer = "c"' in in_notes(asked) and 'answer = "c"' not in on(asked)


def test_what_a_reader_unfolds_is_in_the_notes_alone():
    folded = "<details><summary>An answer</summary>\n\n```python\nsecret = 42\n```\n</details>"
    nb = notebook("## Try", ("1", "1\n"), f"It is so.\n\n{folded}\n\n## Then\n\n{folded}\n\nGo on.", ("2", "2\n"))
    nb.cells.append(new_markdown_cell(f"### Last\n\n{folded}"))
    slides = cut(nb, solved=False)
    assert "secret" not in "".join(map(on, slides)) and "details" not in "".join(map(on, slides))
    assert [slide.title for slide in slides] == ["Try", "Then", "Last"]
    assert all("secret" in in_notes(slide) and "An answer" in in_notes(slide) for slide in slides)


@pytest.mark.parametrize(
    "metadata", [{"jupyter": {"source_hidden": True}}, {"jupyter": {"source_hidden": False}}, {}]
)
def test_of_a_folded_cell_a_slide_shows_the_output_and_the_notes_have_the_code(metadata):
    made = notebook("## Part\n\n### Drawn\n\nHow far?", ("steps = 3\ndrawing(steps)", "a curve\n"))
    made.cells[-1].metadata.update(metadata)
    [slide] = cut(made, solved=False)
    folded = metadata.get("jupyter", {}).get("source_hidden", False)
    assert looks(slide) == [*([] if folded else ["code"]), "output"] and "a curve" in on(slide)
    assert ("steps = 3" in on(slide)) is not folded and ("steps = 3" in in_notes(slide)) is folded


def test_no_slide_of_the_course_shows_the_code_of_a_folded_cell():
    [chapter] = select(find(), ("01",))
    before = notebook_of(chapter)
    folded = [cell for cell in before.cells if is_folded(cell, "source_hidden")]
    text = "\n".join(map(on, cut(before, solved=False)))
    assert len(folded) > 1 and not [cell.id for cell in folded if cell.source.splitlines()[-1] in text]
    for cell in folded:
        cell.metadata.pop("jupyter")
    assert len("\n".join(map(on, cut(before, solved=False)))) > len(text)


def test_the_same_notebook_gives_the_same_slides():
    nb = nbformat.read(sample("09"), 4)
    first, second = ([(on(slide), slide.notes) for slide in cut(nb, solved=True)] for _ in range(2))
    assert first == second


def test_every_exercise_of_every_chapter_shows_its_first_hint():
    from lessonkit.notebook.catalog import find

    for chapter in find():
        nb = nbformat.read(chapter.path, 4)
        exercises = sum("exercise" in cell.metadata.get("tags", ()) for cell in nb.cells)
        shown = sum(looks(slide).count("hint") for slide in cut(nb, solved=False))
        assert shown == exercises, chapter.name


def test_code_longer_than_a_slide_is_cut_at_empty_lines():
    source = "def first():\n" + "    x = 1\n" * 14 + "\n\ndef second():\n" + "    y = 2\n" * 14
    first, second = code_blocks(source)
    assert "first" in first.source and "second" in second.source
    assert first.source.count("\n") == second.source.count("\n") == 14
    assert [block.source for block in code_blocks("a = 1\n\n\nb = 2")] == ["a = 1\n\nb = 2"]


def test_no_line_of_code_is_lost():
    for line in ("x = 1", "", "    if deep: " + "word " * 30, "y" * 400):
        lines = [line, "z", ""] * 40
        found = [kept for block in code_blocks("\n".join(lines)) for kept in block.source.splitlines()]
        assert list(filter(None, found)) == list(filter(None, lines))


@pytest.mark.parametrize(("line", "expected"), [("short", 1), ("a" * 80, 1), ("a" * 81, 2), ("word " * 30, 2)])
def test_rows_of_a_long_line(line, expected):
    assert rows(new_code_cell(line)) == 1 + expected


def test_an_output_with_no_room_below_its_code_is_on_the_next_slide():
    nb = notebook("## Go", ("x = 1\n" * (ROWS - 4), "1\n" * 5))
    code, output = cut(nb, solved=False)
    assert (looks(code), looks(output)) == (["code"], ["output"]) and waiting(output) == [False]
    assert output.title == "Go *(continued)*" and output.cell == code.cell


@pytest.mark.parametrize(
    ("code", "size"),
    [("x = 1", "large"), ("x" * 70, "normal"), ("x = 1\n" * MOST_ROWS, "small"), ("x" * 99, "small")],
)
def test_the_letters_are_as_large_as_there_is_room(code, size):
    [slide] = cut(notebook("## Go", (code,)), solved=False)
    assert next(slide.cells("", 1)).metadata.slideshow.data["size"] == size


def test_an_error_keeps_the_line_that_raised_and_the_message():
    frames = ["-----", "RuntimeError   Traceback", "Cell In[1], line 2\n      1 a = 1\n----> 2 f()"]
    frames += [f"File torch.py:{n}\n  {n} g()" for n in range(40)] + ["RuntimeError: shapes differ"]
    output = new_output("error", ename="RuntimeError", evalue="shapes differ", traceback=frames)
    [shown] = outputs(new_code_cell("f()", outputs=[output]))
    text = "\n".join(shown.traceback)
    assert "----> 2 f()" in text and text.endswith("… 80 more lines\nRuntimeError: shapes differ")
    assert "torch.py:20" not in text


def test_a_picture_is_described_by_the_titles_in_its_code():
    assert described(new_code_cell('ax.set(title="Two squares")'), "it").endswith(": Two squares")
    assert described(new_code_cell("plot()"), "it").endswith(": it")


def test_text_on_a_slide_is_text():
    page = to_html("<script>alert(1)</script> and [a](javascript:alert) [b](06_save.ipynb) [c](https://x.org/)")
    assert "<script>" not in page and page.count("href") == 1 and "https://x.org/" in page
    assert "<img" not in to_html("![a picture](https://x.org/a.png)")


def test_code_in_text_is_coloured_where_its_language_is_known():
    assert '<span class="gi">' in to_html("```diff\n+new\n```")
    assert "nuqneH" in to_html("```klingon\nnuqneH\n```")


def test_of_a_page_that_is_not_ours_a_slide_says_that_the_notebook_shows_it():
    cell = new_code_cell("play()", outputs=[new_output("display_data", {"text/html": "<audio src='x'></audio>"})])
    [shown] = outputs(cell)
    assert shown.data == {"text/markdown": "*Here the notebook shows a sound.*"}


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


def test_a_hint_is_markdown_again():
    page = "<summary>Hint 1 of 1</summary><div>The *dashed* one of <code>a &lt; b</code>.<br>Count.</div>"
    cell = new_code_cell("x", outputs=[new_output("display_data", {"text/html": page})])
    assert hints(cell) == ["The *dashed* one of `a < b`.  \nCount."]
