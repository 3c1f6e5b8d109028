"""The picture of a graph says what autograd keeps, and the count of saved tensors what the graphs hold."""

import matplotlib

matplotlib.use("Agg")
import pytest
import torch

from course_utils.chapters.autograd import SavedTensors, backward_noting_edges, draw_graph, read_graph


@pytest.fixture
def computation():
    """z = w·x + b, out = z·z + b, at 2, 3, -3: w and b ask, x does not."""
    w, b = (torch.tensor(value, requires_grad=True) for value in (2.0, -3.0))
    z = w * torch.tensor(3.0) + b
    return {"w": w, "b": b, "z": z, "out": z * z + b}


def test_the_graph_has_an_edge_for_each_use(computation):
    distance, edges = read_graph(computation["out"])
    sources = list(edges.values())
    assert sources.count(computation["z"].grad_fn) == 2
    assert len([node for node in sources if getattr(node, "variable", None) is computation["b"]]) == 2
    assert len(distance) == 6  # four operations and two leaves: x asked for nothing
    assert max(distance.values()) == 4


def test_what_travels_along_the_edges_is_added_in_the_leaves(computation):
    seen = backward_noting_edges(computation["out"])
    assert sorted(g.item() for g in seen.values()) == [1.0, 1.0, 3.0, 3.0, 6.0, 6.0, 18.0]
    assert computation["w"].grad.item() == 18 and computation["b"].grad.item() == 7


def test_no_hook_is_left_behind():
    x = torch.ones(3, requires_grad=True)
    total = (x + 1).sum()  # keeps nothing, so that it can be walked twice
    first = backward_noting_edges(total)
    held = {edge: g.clone() for edge, g in first.items()}
    total.backward()
    assert all(torch.equal(first[edge], held[edge]) for edge in held)


def test_arrowheads_turn_for_the_way_back(computation):
    styles = []
    for gradients in (None, backward_noting_edges(computation["out"])):
        axis = draw_graph(computation["out"], computation, gradients, title="")
        styles.append({type(text.arrow_patch.get_arrowstyle()).__name__ for text in axis.texts if _arrow(text)})
        shown = {text.get_text() for text in axis.texts}
        assert {"w", "b", "Mul", "Mul\n"} & shown
    assert styles == [{"CurveFilledB"}, {"CurveFilledA"}]
    assert {"18", "3", "6"} <= shown


def _arrow(text):
    return getattr(text, "arrow_patch", None) is not None


def test_saved_tensors_are_counted_while_their_graph_lives():
    saved = SavedTensors()
    x = torch.randn(256, 256, requires_grad=True)
    with saved.counting():
        result = (x * x).exp()
    assert saved.bytes() == 2 * x.nbytes  # x, once, and the result of exp
    assert saved.mebibytes() == 0.5
    result.sum().backward()
    assert saved.bytes() == 0


def test_what_nobody_asked_for_is_not_counted():
    saved, x = SavedTensors(), torch.ones(4, requires_grad=True)
    with saved.counting(), torch.no_grad():
        result = x * x
    assert saved.bytes() == 0 and not result.requires_grad
