"""Errors of torch's own that no case is about: none may be claimed."""

import torch
import torch.nn.functional as F
from torch import nn


def unknown__topk():
    torch.rand(4).topk(9)


def unknown__split():
    torch.rand(10).split([4, 4])


def unknown__minus_of_bools():
    torch.tensor([True, False]) - torch.tensor([True, True])


def unknown__not_of_floats():
    return ~torch.rand(3)


def unknown__reflection():
    F.pad(torch.rand(4, 4), (1, 1, 1, 1), mode="reflect")


def unknown__padding_too_wide():
    nn.ReflectionPad2d(5)(torch.rand(1, 1, 4, 4))


def unknown__dot():
    torch.dot(torch.rand(2, 2), torch.rand(2))


def unknown__not_a_matrix():
    torch.mm(torch.rand(2, 2, 2), torch.rand(2, 2))


def unknown__negative_size():
    torch.zeros(-4)


def unknown__nothing_to_draw():
    torch.multinomial(torch.zeros(3), 2)


def unknown__without_replacement():
    torch.multinomial(torch.rand(3), 5)


def unknown__bag():
    nn.EmbeddingBag(6, 2)(torch.tensor([1, 2]))


def unknown__ctc():
    scores = torch.rand(4, 1, 3).log_softmax(2)
    F.ctc_loss(scores, torch.tensor([[1, 2]]), torch.tensor([9]), torch.tensor([2]))


def unknown__inverse():
    torch.linalg.inv(torch.zeros(2, 2))


def unknown__not_square():
    torch.linalg.det(torch.rand(2, 3))


def unknown__rate():
    torch.optim.Adam([torch.rand(2, requires_grad=True)], betas=(1.5, 0.9))


def unknown__reduction():
    F.mse_loss(torch.rand(2), torch.rand(2), reduction="average")


def unknown__unfold():
    torch.rand(3).unfold(0, 7, 1)


def unknown__repeat():
    torch.rand(2, 3).repeat(2)


def unknown__chunks():
    torch.rand(3).chunk(0)


def unknown__glu():
    F.glu(torch.rand(2, 3))


def unknown__pixel_shuffle():
    F.pixel_shuffle(torch.rand(1, 5, 2, 2), 2)


def unknown__cosine_margin():
    F.cosine_embedding_loss(torch.rand(2, 3), torch.rand(2, 3), torch.rand(2, 2))


def unknown__hook():
    torch.rand(2).register_hook(print)


def unknown__retain():
    torch.rand(2).retain_grad()


def unknown__prune():
    nn.utils.parametrize.remove_parametrizations(nn.Linear(1, 1), "weight")


def unknown__empty_range():
    torch.arange(0, 5, -1)


def unknown__steps():
    torch.linspace(0, 1, -2)


def unknown__outside_of_memory():
    torch.rand(3).as_strided((5,), (1,))
