"""What an answer leaves behind on its arguments is noticed, by kind, and named."""

from copy import deepcopy

import pytest
import torch
from torch import nn

from lessonkit.checks.alteration import alterations
from lessonkit.checks.exercise import Exercise


def net():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(2, 3), nn.Sequential(nn.BatchNorm1d(3), nn.Dropout(0.5)))


def change_of(argument, act):
    once = deepcopy(argument)
    act(argument)
    return {(one.argument, one.kind): one.words for one in alterations((0, argument), (0, once))}


@pytest.mark.parametrize(
    ("act", "kind", "words"),
    [
        (lambda n: n.eval(), "mode", "is now in evaluation mode; it was in training mode"),
        (lambda n: n[1].eval(), "mode", "is now in evaluation mode in its part `1`; it was in training mode"),
        (
            lambda n: n[0].register_forward_hook(print),
            "hooks",
            "has a new hook in its part `0`",
        ),
        (lambda n: n.register_full_backward_hook(print), "hooks", "has a new hook"),
        (lambda n: setattr(n, "seen", []), "attributes", "has the new attribute `seen`"),
        (
            lambda n: setattr(n[0], "forward", print),
            "attributes",
            "has the new attribute `forward` in its part `0`",
        ),
        (
            lambda n: setattr(n[1][1], "p", 0.1),
            "attributes",
            "has a changed `p`: it was 0.5 and is now 0.1 in its part `1.1`",
        ),
        (lambda n: n[0].bias.requires_grad_(False), "requires_grad", "now has `0.bias.requires_grad = False`"),
        (lambda n: n[0].bias.data.zero_(), "values", "was changed: its `0.bias` now has other values"),
        (lambda n: n[1][0](torch.ones(2, 3)), "values", "was changed: its `1.0.running_mean` now has other values"),
        (lambda n: n.append(nn.ReLU()), "values", None),
        (lambda n: n.insert(0, nn.ReLU()), "parts", "has other parts than before in its part `0`"),
    ],
)
def test_a_model_is_not_as_it_was(act, kind, words):
    found = change_of(net(), act)
    if words is None:
        return  # a part without parameters, added at the end, is no alteration that anything depends on
    assert found[(1, kind)] == words
    assert change_of([net()], lambda nets: act(nets[0]))[(1, kind)] == words
    assert change_of({"net": net()}, lambda nets: act(nets["net"]))[(1, kind)] == words


@pytest.mark.parametrize("act", [lambda n: n.eval()(torch.ones(2, 2)) is n.train(), lambda n: n.train()])
def test_a_model_that_is_as_it_was_is_not_altered(act):
    assert change_of(net(), act) == {}


class Unreadable:
    def __ne__(self, other):
        raise ValueError("compare me not")

    __hash__ = None


def test_what_refuses_to_be_compared_is_an_alteration():
    found = change_of(net(), lambda n: setattr(n[1][1], "p", Unreadable()))
    assert found == {(1, "values"): "was changed so much that it cannot be compared"}


def test_a_hook_that_went_is_noticed():
    model = net()
    model.register_forward_hook(print)
    found = change_of(model, lambda n: n._forward_hooks.clear())
    assert found == {(1, "hooks"): "has lost a hook"}


@pytest.mark.parametrize(
    ("argument", "act", "words"),
    [
        (torch.zeros(2, 2), lambda x: x[1].add_(1), "was changed: element [1, 0] was 0 and is now 1"),
        (torch.zeros(2, 2), lambda x: x.resize_(4), "had the shape (2, 2) and now has (4,)"),
        (torch.zeros(2), lambda x: x.requires_grad_(), "had requires_grad False and now has True"),
        ([1, 2], lambda x: x.pop(), "had 2 elements and now has 1"),
        ([1, 2], lambda x: x.reverse(), "was [1, 2] and is now [2, 1]"),
        ({"a": 1, "b": 2}, lambda x: x.pop("b"), "has lost its key 'b'"),
        ({"a": 1}, lambda x: x.update(c=3), "has the new key 'c'"),
        ({"a": [1]}, lambda x: x["a"].append(2), "was changed: its value of 'a' is different"),
        ([torch.zeros(99)], lambda x: x[0].add_(1), "was changed"),
        ({1: []}, lambda x: x[1].append(x), "was changed: its value of 1 is different"),
        ({1}, lambda x: x.add(2), "had 1 elements and now has 2"),
    ],
)
def test_a_value_is_not_as_it_was(argument, act, words):
    assert change_of(argument, act) == {(1, "values"): words}


def scores(model, x):
    """What the model says in evaluation mode; the mode is put back."""
    was = model.training
    model.eval()
    with torch.no_grad():
        result = model(x)
    model.train(was)
    return result


def left_in_evaluation(model, x):
    """You left the model in evaluation mode: put back the mode that it came in."""
    return model.eval()(x).detach()


def models(seed):
    return [(net(), torch.full((n, 2), float(seed))) for n in (2, 3, 1)]


def seen(*_):
    return None


def test_an_answer_is_told_what_it_left_behind():
    question = Exercise(scores, inputs=models, mistakes=(left_in_evaluation,))

    def by(model, x, extra):
        model.eval()
        result = extra(model, x)
        model.train()
        return result.detach()

    assert question.check(lambda model, x: by(model, x, lambda m, x: m(x))).passed
    assert question.check(lambda model, x: model.eval()(x).detach()).state == "known mistake"
    said = question.check(lambda model, x: by(model, x, lambda m, x: m.register_forward_hook(seen) and m(x)))
    assert said.state == "wrong"
    assert said.message.startswith(
        "Your answer changed its input, which the caller still needs: `model` has a new hook. Restore it"
    )
    both = question.check(lambda model, x: model.register_forward_hook(seen) and model.eval()(x).detach())
    assert both.state == "wrong", "it leaves more behind than the known mistake does"
