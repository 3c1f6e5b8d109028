"""Which lines of a cell a slide shows: those that compute, short enough, and never a solution."""

import nbformat
import pytest
from test_cut import in_notes, notebook, on

from lessonkit.notebook.catalog import find
from lessonkit.notebook.cells import keep_core, tags
from lessonkit.teach.slides.cut import cut
from lessonkit.teach.slides.extract import MOST_LINES, extract, solves
from lessonkit.teach.slides.slide import COLUMNS, ROWS

SUM = "1 + " * 15 + "1"
AXES = "_, axes = plt.subplots(1, 2)\nfor ax, one in zip(axes, two):\n    ax.imshow(one)\n"
LOOP = "for x in two:\n    losses.append(step(x))"


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("x = f(2)\nfig, ax = plt.subplots()\nax.plot(x)\nprint(x)", "x = f(2)\nprint(x)"),
        (AXES + "use(two)", "use(two)"),
        ("for axis, x in zip(panels, two):\n    name = x.name\n    axis.imshow(x, label=name)", ""),
        (f"{LOOP}\n    ax.plot(losses)", LOOP),
        ("y = 2  # kept\n# drawn as a line\nax.plot(y)\n\n\nz = 3", "y = 2  # kept\n\nz = 3"),
        ("if show:\n    plt.title('It is 4')\nelse:\n    print(4)", "if show:\n    ...\nelse:\n    print(4)"),
        ("a = 1\nassert a == 1\nassert (\n    a\n    < 2\n)\nb = 2", "a = 1\nb = 2"),
        ("def draw(ax, x):\n    ax.plot(x)\n\ny = 1", "y = 1"),
        ("def step(x):\n    assert x\n    return x", "def step(x):\n    assert x\n    return x"),
        ("%matplotlib inline\nplt.plot(1)", "%matplotlib inline\nplt.plot(1)"),
        ("optimizer.step()\nmodel.text = set(a)", "optimizer.step()\nmodel.text = set(a)"),
        ("x = 1  # short\ny = " + SUM + "  # " + "long " * 9, "x = 1  # short\ny = " + SUM),
        ("text = '# no comment " + "x" * 90 + "'", "text = '# no comment " + "x" * 90 + "'"),
    ],
)  # fmt: skip
def test_what_draws_and_what_asserts_is_left_out(source, shown):
    assert extract(source) == shown


def test_an_extract_is_python_wherever_the_cell_is():
    for chapter in find():
        for cell in nbformat.read(chapter.path, as_version=4).cells:
            if cell.cell_type == "code":
                try:
                    compile(cell.source, "cell", "exec")
                except (SyntaxError, ValueError):
                    continue
                compile(extract(cell.source), f"{chapter.name} {cell.id}", "exec")


def test_the_notes_have_the_whole_cell_and_the_slide_the_rest():
    source = "x = 1\nplt.plot(x)\nassert x == 1"
    [slide] = cut(notebook("## How much will it be?\n\nHow much is x in the end?", (source, "1\n")), solved=False)
    assert "plt.plot" not in on(slide) and "assert" not in on(slide) and "x = 1" in on(slide)
    assert source in in_notes(slide)


def test_a_cell_that_only_draws_shows_its_picture_and_one_that_is_too_long_says_so():
    [drawn] = cut(notebook("## Go", ("plt.plot(1)", "done\n")), solved=False)
    assert "plt" not in on(drawn) and "done" in on(drawn)
    many = "\n".join(f"x{n} = {n}" for n in range(MOST_LINES + 1))
    [long] = cut(notebook("## Go", (many, "1\n")), solved=False)
    assert f"{MOST_LINES + 1} lines: look at it in the notebook" in on(long) and "x3 = 3" in in_notes(long)


OURS = """def measure(model, loader, loss_fn):
    model.eval()
    total = count = 0
    with torch.no_grad():
        for inputs, targets in loader:
            total += loss_fn(model(inputs), targets).item() * len(targets)
            count += len(targets)
    return total / count
"""


@pytest.mark.parametrize(
    ("source", "is_one"),
    [
        (OURS, True),
        (OURS.replace("measure", "evaluate").replace("total", "summed") + "\nprint(evaluate(a, b, c))", True),
        ("@torch.no_grad()\n" + OURS.replace("    model.eval()\n", ""), True),
        (f"{OURS}\nex.measure.check(measure)", False),
        ("def plan(steps):\n    return [step * 2 for step in range(steps)]", False),
        ("print(measure(model, loader, loss_fn))", False),
        ("%%time\n" + OURS, False),
    ],
)
def test_a_solution_is_known_by_its_shape(source, is_one):
    assert solves(source, OURS) == is_one


def test_no_slide_shows_the_solution_right_after_its_exercise():
    [training] = [chapter for chapter in find() if chapter.slug == "training"]
    nb = nbformat.read(training.path, as_version=4)
    keep_core(nb)
    slides = cut(nb, solved=False)
    assert not any("def evaluate(" in on(slide) for slide in slides)
    assert any("def evaluate(" in in_notes(slide) for slide in slides)
    assert any("holds an answer to the exercise" in on(slide) for slide in slides)


@pytest.mark.parametrize("chapter", find(), ids=lambda chapter: chapter.name)
def test_code_is_split_before_it_is_too_long_to_read_and_every_first_hint_waits_beside_its_exercise(chapter):
    nb = nbformat.read(chapter.path, as_version=4)
    slides = cut(nb, solved=False)
    hinted = [slide for slide in slides if any("hint" in block.metadata.tags for block in slide.blocks)]
    assert len(hinted) == sum("exercise" in tags(cell) for cell in nb.cells)
    for slide in hinted:
        kinds = [block.metadata.tags[0] for block in slide.blocks]
        types = [cell.metadata.slideshow.slide_type for cell in slide.cells("", 1)][2:]
        assert kinds[-1] == "hint" and "code" in kinds and types[-1] == "fragment"
    code = [block.source for slide in slides for block in slide.blocks if block.metadata.tags == ["code"]]
    longest = max(len(text.splitlines()) for text in code)
    assert longest <= 1.6 * ROWS, "a function that cannot be split"
    assert sum(len(line) > COLUMNS for text in code for line in text.splitlines()) < 0.2 * len("\n".join(code))
