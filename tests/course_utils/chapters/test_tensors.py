"""The picture of a tensor's memory says what `stride`, `storage_offset` and the values say."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pytest
import torch
from matplotlib.patches import FancyArrowPatch, Rectangle

from course_utils.chapters.tensors import layout, memory_view, memory_walk, positions

BASE = torch.arange(12, dtype=torch.int32).reshape(3, 4)
VIEWS = {
    "whole": BASE,
    "transposed": BASE.T,
    "columns": BASE[:, 1:3],
    "every other": BASE[::2, ::3],
    "expanded": BASE[1:2].expand(3, -1),
    "block": BASE.reshape(2, 3, 2).permute(2, 0, 1),
    "number": BASE[1, 2],
    "nothing": BASE[3:],
}
each_view = pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)


def boxes(ax):
    return [patch for patch in ax.patches if isinstance(patch, Rectangle)]


def arrows(ax):
    return [patch for patch in ax.patches if isinstance(patch, FancyArrowPatch)]


def tinted(ax):
    return [i for i, box in enumerate(boxes(ax)) if box.get_facecolor()[:3] != (1, 1, 1)]


@each_view
def test_positions_lead_to_the_elements(view):
    shape, strides, offset, storage = layout(view)
    assert storage == list(range(12))
    places = positions(shape, strides, offset)
    assert len(places) == view.numel()
    assert all(storage[place] == view[index].item() for index, place in places.items())


@each_view
def test_every_box_is_drawn_and_those_that_are_read_are_tinted(view):
    ax = memory_view(view)
    assert len(boxes(ax)) == 12
    assert tinted(ax) == sorted(set(view.flatten().tolist()))


@each_view
def test_a_tuple_draws_what_the_tensor_draws(view):
    def drawn(ax):
        legend = [text.get_text() for text in ax.get_legend().get_texts()]
        return legend, [text.get_text() for text in ax.texts], tinted(ax), len(arrows(ax))

    assert drawn(memory_view(layout(view))) == drawn(memory_view(view))


def test_the_legend_names_size_and_stride_of_each_axis():
    texts = [text.get_text() for text in memory_view(BASE[:, 1:3]).get_legend().get_texts()]
    assert texts == ["dim 0: size 3, stride 4", "dim 1: size 2, stride 1", "offset 1"]


def test_one_arrow_for_each_step_and_one_loop_for_a_stride_of_zero():
    assert len(arrows(memory_view(BASE))) == 2 + 3
    assert len(arrows(memory_view(BASE[1:2].expand(3, -1)))) == 1 + 3
    assert len(arrows(memory_view(BASE[:1, :1]))) == 0


def test_a_box_read_three_times_says_so():
    texts = [text.get_text() for text in memory_view(BASE[1:2].expand(3, -1)).texts]
    assert texts.count("×3") == 4


def test_two_rows_have_two_tints_and_a_vector_has_one():
    assert len({box.get_facecolor() for box in boxes(memory_view(BASE.reshape(2, 6)))}) == 2
    assert len({box.get_facecolor() for box in boxes(memory_view(BASE.flatten()))}) == 1


def test_it_draws_where_it_is_told_and_returns_the_axes():
    axes = plt.subplots(2, 1)[1]
    assert memory_view(BASE, ax=axes[1], title="here") is axes[1]
    assert axes[1].get_title(loc="left") == "here"
    assert not boxes(axes[0])


@pytest.mark.parametrize("values", [[True, False], [0.5, float("nan")], [float("inf"), 1e-9]])
def test_values_of_other_types_are_written_too(values):
    memory_view(torch.tensor(values)).figure.canvas.draw()


def test_a_storage_too_long_for_a_strip_is_refused_in_words():
    with pytest.raises(ValueError, match=r"784 elements, a strip shows 48"):
        memory_view(torch.zeros(28, 28)[:2, :2])


@pytest.mark.parametrize("layout", [((2, 3), (3, 1), 1, [0] * 6), ((3,), (-1,), 1, [0] * 6)])
def test_strides_that_leave_the_storage_are_refused_in_words(layout):
    with pytest.raises(ValueError, match=r"reads positions -?\d to \d, the storage has 6"):
        memory_view(layout)


def test_blanks_hide_sizes_strides_and_offset_and_nothing_else():
    view, hidden = memory_view(BASE[:, 1:3], title="x"), memory_view(BASE[:, 1:3], title="x", blanks=True)
    texts = [text.get_text() for text in hidden.get_legend().get_texts()]
    assert texts == ["dim 0: size ?, stride ?", "dim 1: size ?, stride ?", "offset ?"]
    assert tinted(hidden) == tinted(view) and len(arrows(hidden)) == len(arrows(view))
    assert memory_view(BASE, blanks=True).get_title(loc="left") == "", "the shape would be given away"


def test_a_stride_of_zero_ends_in_the_box_where_it_began():
    ax = memory_view(BASE[1:2].expand(3, -1))
    ax.figure.draw_without_rendering()
    spans = [arrow.get_window_extent().transformed(ax.transData.inverted()).intervalx for arrow in arrows(ax)]
    assert [[int(end) for end in span] for span in spans if span[1] - span[0] < 0.9] == [[4, 4]]
    assert len(spans) == 4


@pytest.mark.parametrize(
    ("view", "steps"),
    [(BASE, ["11 steps of +1"]), (BASE.T, ["8 steps of +4", "3 steps of -7"]), (BASE[1, 2], []), (BASE[3:], [])],
)
def test_a_walk_has_an_arrow_for_each_step_and_counts_the_kinds(view, steps):
    ax = memory_walk(view, title="here")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == steps
    assert len(arrows(ax)) == max(view.numel() - 1, 0) and ax.get_title(loc="left") == "here"


def test_a_walk_too_long_for_a_strip_is_refused_in_words():
    with pytest.raises(ValueError, match=r"784 elements, a strip shows 48"):
        memory_walk(torch.zeros(28, 28)[:2, :2])
