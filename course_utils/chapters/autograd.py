"""Show what PyTorch keeps for the backward pass: its graph as a picture, and the memory of saved tensors."""

import weakref
from collections import Counter
from collections.abc import Mapping

import matplotlib.pyplot as plt
import torch
from matplotlib.axes import Axes
from torch.autograd.graph import Node, saved_tensors_hooks

from course_utils.plotting import COLORS

Edges = dict[tuple[Node, int], Node]  # (node, number of its input) to the node that this input came from


def read_graph(result: torch.Tensor) -> tuple[dict[Node, int], Edges]:
    """Return each node behind `result` with its longest distance from it, and where each edge leads."""
    distance, edges, waiting = {result.grad_fn: 0}, {}, [result.grad_fn]
    for node in waiting:  # the list grows while we walk along it
        for number, (source, _) in enumerate(node.next_functions):
            if source is not None:
                edges[node, number] = source
                distance[source] = max(distance.get(source, 0), distance[node] + 1)
                waiting.append(source)
    return distance, edges


def backward_noting_edges(result: torch.Tensor) -> dict[tuple[Node, int], torch.Tensor]:
    """Run `result.backward()`; return what travelled along each edge of its graph."""
    seen, hooks = {}, []
    for node in {node for node, _ in read_graph(result)[1]}:

        def note(grad_inputs, grad_outputs, node=node):
            seen.update({(node, number): g.clone() for number, g in enumerate(grad_inputs) if g is not None})

        hooks.append(node.register_hook(note))
    result.backward()
    for hook in hooks:
        hook.remove()
    return seen


def draw_graph(
    result: torch.Tensor,
    tensors: Mapping[str, torch.Tensor],
    gradients: Mapping[tuple[Node, int], torch.Tensor] | None = None,
    *,
    title: str,
) -> Axes:
    """Draw the graph behind `result`, leaves on the left, with a thick frame; return the Axes.

    `tensors`: what to name, by name. `gradients`: what travelled along each edge, as `backward_noting_edges`
    returns it. Without it arrows point the way the numbers went, with it the way back, and edges bear its mean.
    """
    distance, edges = read_graph(result)
    place, rows = _places(distance), max(Counter(distance.values()).values())
    lengths = [distance[source] - distance[node] for (node, _), source in edges.items()]
    bottom = min(-0.5 * rows, -0.3 - max(lengths) / 8)  # a bent arrow hangs an eighth of its length below its ends
    bare = {"xticks": (), "yticks": (), "frame_on": False}
    axis = plt.subplots(figsize=(8.4, 0.4 + 1.5 * rows), subplot_kw=bare)[1]
    middle = {"ha": "center", "va": "center"}
    for (node, number), source in edges.items():
        (x0, y0), (x1, y1) = place[source], place[node]
        twins = edges.get((node, 1 - number)) is source  # two arrows between the same nodes must part
        bend = number - 0.5 if twins else 0.25 * (distance[source] - distance[node] > 1)
        head = "<|-" if gradients else "-|>"
        arrow = {"arrowstyle": head, "shrinkA": 22, "shrinkB": 22, "connectionstyle": f"arc3,rad={bend}"}
        axis.annotate("", (x1, y1), (x0, y0), arrowprops=arrow)
        if gradients:
            half_way = (x0 + x1 + bend * (y1 - y0)) / 2, (y0 + y1 - bend * (x1 - x0)) / 2
            axis.text(*half_way, f"{gradients[node, number].mean():g}", **middle, bbox={"fc": "#F0E442", "lw": 0})
    for node in distance:
        frame = {"ec": COLORS["ours"], "lw": 3} if hasattr(node, "variable") else {"ec": COLORS["torch"]}
        axis.text(*place[node], _label(node, tensors), **middle, bbox=frame | {"boxstyle": "round", "fc": "white"})
    farthest = max(distance.values())
    axis.set(title=title, xlim=(-farthest - 0.5, 0.5), ylim=(bottom, 0.4 * rows), aspect="equal")
    return axis


def _label(node, tensors):
    """Name the operation, and the tensor that the node made or leads to."""
    leaf = getattr(node, "variable", None)
    names = [name for name, tensor in tensors.items() if tensor is leaf or tensor.grad_fn is node]
    return "\n".join(names if leaf is not None else [node.name().removesuffix("Backward0"), *names])


def _places(distance):
    """Where to draw each node: one column for each distance, leaves below the others."""
    nodes = sorted(distance, key=lambda node: hasattr(node, "variable"))
    columns = [[node for node in nodes if distance[node] == d] for d in range(max(distance.values()) + 1)]
    return {n: (-d, (len(column) - 1) / 2 - i) for d, column in enumerate(columns) for i, n in enumerate(column)}


class SavedTensors:
    """Counts what graphs keep: `with saved.counting(): …` records, `saved.bytes()` says what is still held."""

    def __init__(self) -> None:
        self._alive = weakref.WeakSet()  # forgets an entry as soon as its graph is gone

    def counting(self) -> saved_tensors_hooks:
        """Return a context in which whatever an operation saves for its way back is counted."""
        return saved_tensors_hooks(self._pack, lambda kept: kept.tensor)

    def bytes(self) -> int:
        """Return the bytes that all graphs still alive keep; two tensors in one storage count once."""
        storages = [kept.tensor.untyped_storage() for kept in self._alive]
        return sum({storage.data_ptr(): storage.nbytes() for storage in storages}.values())

    def mebibytes(self) -> float:
        """Return `bytes()` in MiB, of 1,048,576 bytes each."""
        return self.bytes() / 2**20

    def _pack(self, tensor):
        kept = _Kept(tensor.detach())
        self._alive.add(kept)
        return kept


class _Kept:
    """A tensor that some graph keeps for its way back."""

    def __init__(self, tensor):
        self.tensor = tensor
