"""Draw the ways to split a model and its batch among four ranks."""

import matplotlib.pyplot as plt
import torch
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from course_utils.plotting import COLORS, SERIES


def draw_cuts() -> Figure:
    """Draw, five ways, who keeps the weights (layers, columns) and computes the batch (examples, positions)."""
    palette = ListedColormap(["#dddddd", SERIES[0], SERIES[1], COLORS["ours"], COLORS["wrong"]])
    across, every = torch.arange(1, 5).expand(4, 4), torch.zeros(4, 4)  # ranks from left to right; on all ranks
    cuts = {
        "data": (every, across.T),
        "FSDP": (across, across.T),
        "tensor": (across, every),
        "pipeline": (across.T, every),
        "context": (every, across),
    }
    figure, axes = plt.subplots(2, 5, figsize=(7.2, 3.4))
    for column, (name, pair) in enumerate(cuts.items()):
        for ax, owners in zip(axes[:, column], pair, strict=True):
            ax.pcolormesh(owners, cmap=palette, vmin=0, vmax=4, edgecolors="white")
            ax.set(xticks=[], yticks=[], aspect="equal")
            ax.invert_yaxis()
        axes[0, column].set_title(name)
        axes[0, column].set_xlabel("columns of a layer", fontsize="small")
        axes[1, column].set_xlabel("positions", fontsize="small")
    axes[0, 0].set_ylabel("weights:\nlayers", fontsize="small")
    axes[1, 0].set_ylabel("batch:\nexamples", fontsize="small")
    figure.suptitle("Which of four ranks keeps or computes what; grey: every rank", fontsize="medium")
    return figure
