"""Which texts ask for a prediction, and which outputs the site therefore folds."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from lessonkit.notebook import predictions
from lessonkit.notebook.catalog import find

ASKS = {
    "a question, and when to answer it": "What is the list times two? Say both before you run the cell.",
    "an instruction without a question mark": "Before you run the cell, write down which number the bees get.",
    "the instruction broken over two lines": "You have an idea. Before you\nrun the cell, note it.",
    "a bet in the middle of a line": "1,000 or 10,000 pictures: bet, run the cell and watch the curve. Bet now.",
    "a verb at the beginning of an item": "Two runs follow.\n- Predict the first loss.\n- The second is ours.",
    "a question that ends in brackets": "Which shape does it make of a grey picture, (1, 1, 28, 28)?",
    "a question that ends in code": "The two are equal. Which is larger: `a` or `b`?",
    "a number with a point before the mark": "What would that keep in 300 steps, with d = 0.98?",
    "two words": "The first step passes. The second?",
    "one word that asks": "One of the three raises. Which?",
    "a heading": "### Does `detach` copy?\n\nWe write into the detached tensor.",
    "a heading, and an instruction below it": "## Ten of each\n\nFive ways, three seeds. Rank the five ways first.",
    "in bold": "Two losses. **Guess the smaller one**, then look.",
    "a paragraph in brackets behind the question": "How many runs are needed?\n\n(`halve` counts them.)",
    "words of others in quotes": "The message asks “is it contiguous?” and raises. Will the copy raise as well?",
}
ASKS_NOT = {
    "statements": "The list was repeated. The tensor was computed with.",
    "a word that offers help": "Each call gives one more hint. Stuck? Read it twice.",
    "the same in bold": "**Lost?** Restart the kernel.",
    "a mark in code": "The pattern `a?b` finds both, and so does\n\n```\nwhat is this?\n```",
    "a mark in an address": "See [the manual](https://example.org/?q=what) and https://example.org/?a=b.",
    "a question above the last heading": "Which is larger?\n\n## Results\n\nA chapter writes into one folder.",
    "the noun at the end of a sentence": "The scores are sums, and the largest is the guess.",
    "the noun at the beginning of a line": "The scores are sums. The largest is the\nguess. It has ten of them.",
    "the rank of a process": "Rank 0 sends. Rank 1 waits for it.",
    "before you run anything": "The figures that you see before you run anything come from our machine.",
    "what the program predicts": "The model predicts a digit. Its predictions are right in nine of ten cases.",
}


@pytest.mark.parametrize("text", ASKS.values(), ids=ASKS)
def test_a_text_that_asks_for_a_prediction_is_recognised(text):
    assert predictions.asks(text)


@pytest.mark.parametrize("text", ASKS_NOT.values(), ids=ASKS_NOT)
def test_a_text_that_does_not_ask_is_left_alone(text):
    assert not predictions.asks(text)


def printed(source, *tags):
    output = new_output("stream", text="3\n")
    return new_code_cell(source, outputs=[output], metadata={"tags": list(tags)})


@pytest.mark.parametrize(
    ("cells", "expected"),
    {
        "every output up to the next text": (
            ["How many?", printed("a"), printed("b"), "Three.", printed("c")],
            ["a", "b"],
        ),
        "a cell that only defines something lies between": (
            ["How many?", new_code_cell("def f(): ..."), printed("f()")],
            ["f()"],
        ),
        "the question and a remark in two cells": (["How many?", "(We count twice.)", printed("a")], ["a"]),
        "no verdict, and nothing behind it": (["How many?", printed("a", "exercise"), printed("b")], []),
        "no question of chapter 12": (["How many?", printed("ask('case 1', None)", "question")], []),
        "no hint": (["Do you need help?", printed("ex.half_dtype.hint()")], []),
        "an error that is raised on purpose": (["Which line?", printed("1 / 0", "raises-exception")], ["1 / 0"]),
        "nothing before the first text": ([printed("a"), "How many?", printed("b")], ["b"]),
    }.values(),
)  # fmt: skip
def test_the_outputs_that_answer_are_those_below_the_question(cells, expected):
    cells = [new_markdown_cell(cell) if isinstance(cell, str) else cell for cell in cells]
    assert [cell.source for cell in predictions.answered(cells)] == expected


def test_in_the_chapters_every_question_above_a_cell_is_met():
    """A count by another rule: a question mark in the last paragraph, as a newcomer counted them."""
    missed, counted = [], 0
    for chapter in find():
        nb = nbformat.read(chapter.path, 4)
        folded = {cell.id for cell in predictions.answered(nb.cells)}
        for text, cell in zip(nb.cells, nb.cells[1:], strict=False):
            tags = cell.metadata.get("tags", [])
            if text.cell_type != "markdown" or not cell.get("outputs") or {"exercise", "question"} & set(tags):
                continue
            last = text.source.strip().split("\n\n")[-1]
            if "?" in last and ".hint(" not in cell.source:
                counted += 1
                missed += [] if cell.id in folded else [f"{chapter.name}: {last[-80:]}"]
    assert missed == [] and counted > 200
