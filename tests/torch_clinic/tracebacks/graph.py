"""Programs that fail in autograd."""

import copy

import torch
import torch.nn.functional as F
from torch import nn


def inplace_saved__relu():
    weight = torch.randn(5, requires_grad=True)
    hidden = torch.sigmoid(weight * 3)
    hidden.mul_(2)
    hidden.sum().backward()


def inplace_saved__step_between():
    actor, critic = nn.Linear(3, 4), nn.Linear(4, 1)
    optimizer = torch.optim.SGD([*actor.parameters(), *critic.parameters()], lr=0.1)
    value = critic(actor(torch.randn(6, 3)))
    value.mean().backward(retain_graph=True)
    optimizer.step()
    value.pow(2).mean().backward()


def inplace_saved__filled_row():
    table = torch.randn(4, 4, requires_grad=True).exp()
    energy = (table**2).sum()
    table[1] = 0
    energy.backward()


def leaf_inplace__update():
    theta = nn.Parameter(torch.ones(2, 2))
    theta -= 0.1


def leaf_inplace__view():
    slope = torch.zeros(6, requires_grad=True)
    slope[2:4] += 1


def second_backward__hidden_state():
    cell, state = nn.RNNCell(2, 3), torch.zeros(1, 3)
    for _ in range(2):
        state = cell(torch.randn(1, 2), state)
        state.sum().backward()


def second_backward__two_losses():
    shared = nn.Linear(4, 4)(torch.randn(2, 4)).tanh()
    shared.mean().backward()
    shared.std().backward()


def no_graph__frozen():
    net = nn.Linear(2, 2).requires_grad_(False)
    F.mse_loss(net(torch.ones(3, 2)), torch.ones(3, 2)).backward()


def no_graph__argmax():
    logits = nn.Linear(5, 3)(torch.randn(8, 5))
    right = (logits.argmax(dim=1) == 0).float().mean()
    right.backward()


def no_graph__no_grad():
    net = nn.Linear(1, 1)
    with torch.no_grad():
        loss = net(torch.ones(1, 1)).sum()
    loss.backward()


def backward_not_scalar__unreduced():
    loss = F.mse_loss(nn.Linear(2, 1)(torch.ones(4, 2)), torch.ones(4, 1), reduction="none")
    loss.backward()


def backward_not_scalar__grad():
    x = torch.ones(3, requires_grad=True)
    torch.autograd.grad(x**2, x)


def numpy_grad__plot():
    curve = nn.Linear(1, 1)(torch.linspace(0, 1, 5)[:, None])
    return curve.numpy()


def numpy_grad__asarray():
    import numpy

    numpy.asarray(nn.Linear(2, 2).weight)


def unused_in_grad__unused_grad():
    a, b = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
    torch.autograd.grad((a * 2).sum(), [a, b])


def nan_loss__log():
    with torch.autograd.detect_anomaly(check_nan=True):
        x = torch.tensor([0.0, 1.0], requires_grad=True)
        (torch.sqrt(x) * 0).sum().backward()


def deepcopy_result__deepcopy_activation():
    hidden = nn.Linear(2, 2)(torch.ones(1, 2))
    copy.deepcopy(hidden)


def inference_tensor__inference_training_on_it():
    with torch.inference_mode():
        features = torch.randn(4, 3)
    nn.Linear(3, 1)(features).sum().backward()


def inference_tensor__inference_in_place():
    with torch.inference_mode():
        mean = torch.zeros(3)
    mean += 1


def grad_none__update():
    w = torch.ones(3, requires_grad=True)
    with torch.no_grad():
        w -= 0.1 * w.grad


def grad_none__zero():
    layer = nn.Linear(2, 2)
    for parameter in layer.parameters():
        parameter.grad.zero_()
