"""A handout points only at what is in it, and shows no output that answers a bet."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from lessonkit.teach.room import handout

ABSENT = " (not in this handout)"
ABOVE = "has a title that may answer the bet above it: "
FILES = {"00_sums.ipynb", "01_words.ipynb"}


def fitted(text, *gone, code=""):
    """The second cell of a notebook that has lost cells with the headings `gone`."""
    cells = [
        new_markdown_cell("# 00 · Title\n\n**30 minutes for the core, 50 with *Further*.**"),
        new_markdown_cell(text),
    ]
    notebook = new_notebook(cells=[*cells, new_code_cell(code)])
    left_out = [new_markdown_cell(title) for title in gone]
    handout.fit(notebook, files=FILES, left_out=left_out)
    return notebook.cells[1].source


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**Next: [02 more](02_more.ipynb).** Go on.", "**Next: 02 more (not in this handout).** Go on."),
        ("see [the `sum`](03_x.ipynb#The-end), then", "see the `sum` (not in this handout), then"),
        ("over\n[two\nlines](04_y.ipynb)", "over\ntwo\nlines (not in this handout)"),
        (
            "[words](01_words.ipynb) and [sums](00_sums.ipynb#Top)",
            "[words](01_words.ipynb) and [sums](00_sums.ipynb#Top)",
        ),
        (
            "[docs](https://x.org/a.ipynb), [mail](mailto:a@b.c)",
            "[docs](https://x.org/a.ipynb), [mail](mailto:a@b.c)",
        ),
        ("[figures](../benchmarks/README.md)", "figures (in the course's folder)"),
        ("[gone](#Twice-the-same) [there](#Top)", "gone (not in this handout) [there](#Top)"),
        (
            "```\n[x](02_more.ipynb)\n```\n[x](02_more.ipynb)",
            "```\n[x](02_more.ipynb)\n```\nx (not in this handout)",
        ),
        ("![picture](02_more.ipynb)", "![picture](02_more.ipynb)"),
    ],
)
def test_links_lead_to_what_was_handed_out(text, shown):
    assert fitted(text, "## Twice the same") == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("as in Exercise 3, and Exercise 1", "as in Exercise 3 (not in this handout), and Exercise 1"),
        ("exercise 3 needs it", "exercise 3 (not in this handout) needs it"),
        ("Exercise 30 and Exercises 3", "Exercise 30 and Exercises 3"),
        ("### Exercise 3: no mention", "### Exercise 3: no mention"),
        ("“Twice the same” needs it", "“Twice the same” (not in this handout) needs it"),
        ("'twice the same' and *Twice the same*", f"'twice the same'{ABSENT} and *Twice the same*{ABSENT}"),
        ("done twice the same way", "done twice the same way"),
        ("“Still here” stays", "“Still here” stays"),
    ],
)
def test_what_is_not_there_is_said_where_the_text_names_it(text, shown):
    gone = ("## Further: twice the same, and when not", "### Exercise 3: more (4 min, ★)")
    assert fitted(text, *gone) == shown


def test_the_title_has_the_minutes_and_the_numbers_of_what_is_there():
    check = [new_code_cell(f"ex.{name}.check({name})", metadata={"tags": ["exercise"]}) for name in ("one", "four")]
    title = "# 00 · T\n\n**30 minutes for the core, 50 with *Further*.**\n\n- in *Further*: tell\n  more;\n- read."
    cells = [new_markdown_cell(title), new_markdown_cell("### Exercise 1: a"), check[0]]
    notebook = new_notebook(cells=[*cells, new_markdown_cell("### Exercise 4: b"), check[1]])
    handout.fit(notebook, files=FILES, left_out=[new_markdown_cell("### Exercise 2: c")])
    text = notebook.cells[0].source
    assert "**30 minutes.**" in text and "\n\n- read." in text and "tell" not in text
    assert "it has 1 and 4, under the numbers that they have in the course" in text
    assert handout.exercises(notebook) == {"one": 1, "four": 4}
    before = text
    handout.fit(notebook, files=FILES, left_out=[])
    assert notebook.cells[0].source == before, "said once"


def bets(*cells):
    made = []
    for kind, source, *tags in cells:
        cell = new_markdown_cell(source) if kind == "m" else new_code_cell(source, metadata={"tags": tags})
        if kind == "c":
            cell.outputs = [new_output("stream", text="42")]
        made.append(cell)
    notebook = new_notebook(cells=made)
    count = handout.clear_bets(notebook)
    left = [bool(cell.outputs) for cell in made if cell.cell_type == "code"]
    assert count == left.count(False)
    return left, list(handout.telling(notebook))


@pytest.mark.parametrize(
    ("text", "cleared"),
    [
        ("How many of the ten are right?", True),
        ("## A heading\n\nFour pictures, each right. **Bet:** what is the loss now?", True),
        ("Before you run the cell, write down the second of the seven values.", True),
        ("Predict which of the three curves falls first.", True),
        ("Why?\n\n## Next\n\nThe next cell imports what is needed.", False),
        ("It prints the mean. Stuck?", False),
        ("The mean is 2.5, as the formula says.", False),
    ],
)
def test_outputs_below_a_question_are_cleared(text, cleared):
    assert bets(("m", text), ("c", "print(42)"))[0] == [not cleared]


def test_all_code_up_to_the_next_text_may_answer_and_exercises_are_no_bets():
    asked = ("m", "Which one is the largest of them?")
    left, _ = bets(asked, ("c", "a"), ("c", "b"), ("m", "The first is."), ("c", "c"), asked, ("c", "d", "exercise"))
    assert left == [False, False, True, True]
    assert bets(("m", "$$\\frac{1}{2}$$ is how much of it?"), ("c", "a"))[0] == [True], "a formula is left alone"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ('ax.set(title="each with each: mean 2.5")', ABOVE + "“each with each: mean 2.5”"),
        ('ax.set_title(f"{n} of ten are right")', ABOVE + "“{} of ten are right”"),
        ('plt.suptitle("Never cleared: a swing")', "“Never cleared: a swing”"),
        ("assert shares[1] > 0.5", "asserts what comes out below a bet: “assert shares[1] > 0.5”"),
        ('ax.set(title="loss")', None),
        ('ax.set(title=f"{a} {b} {c}")', None),
        ("%matplotlib inline", None),
        ("print('each with each: mean 2.5')", None),
    ],
)
def test_code_that_gives_the_answer_away_is_named(code, said):
    _, found = bets(("m", "What will the loss of all four be?"), ("c", code))
    assert (said is None and found == []) or (
        len(found) == 1 and found[0].startswith("cell 2 ") and said in found[0]
    )
    assert bets(("m", "The loss is 2.5."), ("c", code))[1] == []


@pytest.mark.parametrize(
    "line", ['x = 1  # "Twice the same" needs it', "# see ‘Twice the same, and when not’", "y = 'twice the same'"]
)
def test_code_that_names_what_is_not_there_is_reported(line):
    left_out = [new_markdown_cell("## Further: twice the same, and when not")]
    notebook = new_notebook(cells=[new_code_cell(f"a = 2\n{line}")])
    (said,) = handout.still_named(notebook, left_out)
    assert said.startswith("cell 1 names “") and "which is not in this handout" in said
    assert list(handout.still_named(notebook, [])) == []


def test_only_code_below_the_room_s_bets_is_named():
    asked = "Which one is the largest of them?"
    cells = []
    for heading in ("The bet of the room: a title", "Another question", "Further down"):
        cells += [new_markdown_cell(f"## {heading}\n\n{asked}"), new_code_cell("assert largest == 3")]
    notebook = new_notebook(cells=cells)
    assert len(list(handout.telling(notebook))) == 3
    assert [one[:7] for one in handout.telling(notebook, ["The bet of the room"])] == ["cell 2 "]
    assert [one[:7] for one in handout.telling(notebook, ["Another", "Further"])] == ["cell 4 ", "cell 6 "]
    assert list(handout.telling(notebook, ["No such heading"])) == []


def test_a_bet_goes_on_under_its_heading_until_the_next_one():
    texts = ["## The bet\n\nWhich one is the largest?", "How many are there of them?", "### Next\n\nHow many now?"]
    cells = [cell for text in texts for cell in (new_markdown_cell(text), new_code_cell("assert n == 3"))]
    found = list(handout.telling(new_notebook(cells=cells), ["The bet"]))
    assert [one[:7] for one in found] == ["cell 2 ", "cell 4 "]
