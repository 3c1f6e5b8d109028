"""Pictures that several chapters draw: every picture its place, mistakes visible, the input unchanged."""

import subprocess
import sys

import matplotlib.pyplot as plt
import pytest
import torch

from course_utils.plotting import COLORS, SERIES, _swatches, plot_confusion, show_images, use_style


@pytest.mark.parametrize(("count", "rows"), [(1, 1), (8, 1), (9, 2)])
def test_every_image_gets_a_place(count, rows):
    axes = show_images(torch.rand(count, 1, 5, 4), titles=[str(i) for i in range(count)])
    assert axes.shape == (rows, 8)
    assert [bool(ax.images) for ax in axes.flat] == [i < count for i in range(8 * rows)]
    assert axes.flat[count - 1].get_title() == str(count - 1)


def test_the_diagonal_is_left_out_and_the_matrix_as_it_was():
    matrix = torch.tensor([[90, 3], [0, 70]])
    ax = plot_confusion(matrix, classes="ab")
    assert [text.get_text() for text in ax.texts] == ["3"]
    assert matrix.tolist() == [[90, 3], [0, 70]]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("predicted", "truth")


def test_figures_are_opaque_and_colours_differ():
    with plt.rc_context():
        use_style()
        assert plt.rcParams["figure.facecolor"] == plt.rcParams["savefig.facecolor"] == "white"
    assert len({*COLORS.values(), *SERIES}) == len(COLORS) + len(SERIES) == 9


def test_the_module_run_as_a_program_shows_the_palette():
    command = [sys.executable, "-m", "course_utils.plotting"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert shown.splitlines() == _swatches(colored=False)  # plain text where nobody watches
    assert [line[:7] for line in shown.splitlines()] == [*COLORS.values(), *SERIES]
    assert _swatches(colored=True)[0].startswith("\x1b[48;2;0;114;178m")
