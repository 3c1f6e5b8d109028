"""Errors of torch's own that no case is about: none may be claimed."""

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset, WeightedRandomSampler
from torchvision import models
from torchvision.transforms import v2


def unknown__unfold():
    torch.rand(3).unfold(0, 2, 0)


def unknown__chunks():
    torch.rand(3).chunk(0)


def unknown__glu():
    F.glu(torch.rand(2, 3))


def unknown__pixel_shuffle():
    F.pixel_shuffle(torch.rand(1, 5, 2, 2), 2)


def unknown__cosine_margin():
    F.cosine_embedding_loss(torch.rand(2, 3), torch.rand(2, 3), torch.rand(2, 2))


def unknown__prune():
    nn.utils.parametrize.remove_parametrizations(nn.Linear(1, 1), "weight")


def unknown__empty_range():
    torch.arange(0, 5, -1)


def unknown__steps():
    torch.linspace(0, 1, -2)


def unknown__outside_of_memory():
    torch.rand(3).as_strided((5,), (1,))


def unknown__upsample():
    nn.Upsample()(torch.rand(1, 1, 2, 2))


def unknown__grid():
    F.grid_sample(torch.rand(1, 1, 2, 2), torch.rand(2, 3, 3, 2))


def unknown__unpool():
    nn.MaxUnpool2d(2)(torch.rand(1, 1, 2, 2), torch.zeros(1, 1, 2, 2))


def unknown__triplet():
    F.triplet_margin_loss(torch.rand(2, 3), torch.rand(2, 3), torch.rand(3))


def unknown__beta():
    F.smooth_l1_loss(torch.rand(2), torch.rand(2), beta=-1)


def unknown__variance():
    F.gaussian_nll_loss(torch.rand(2), torch.rand(2), -torch.rand(2))


def unknown__margin_target():
    F.multi_margin_loss(torch.rand(2, 3), torch.tensor([0, 5]))


def unknown__total_length():
    packed = nn.utils.rnn.pack_padded_sequence(torch.rand(2, 3, 1), [3, 1], batch_first=True)
    nn.utils.rnn.pad_packed_sequence(packed, total_length=2)


def unknown__counts():
    torch.bincount(torch.tensor([-1]))


def unknown__returned_nothing():
    (lambda x: None)(torch.rand(2)).sum()


def unknown__detached_in_place():
    torch.rand(3, requires_grad=True).unbind()[0].detach_()


def unknown__slope_of_a_row():
    torch.func.grad(lambda x: x)(torch.rand(3))


def unknown__restarts():
    optimizer = torch.optim.SGD(nn.Linear(1, 1).parameters(), lr=0.1)
    torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, 0)


def unknown__milestones():
    optimizer = torch.optim.SGD(nn.Linear(1, 1).parameters(), lr=0.1)
    torch.optim.lr_scheduler.MultiStepLR(optimizer, 3)


def unknown__step_of_a_number():
    torch.optim.Adam(nn.Linear(1, 1).parameters()).step(3)


def unknown__table_of_weights():
    WeightedRandomSampler(torch.rand(2, 2), 2)


def unknown__subset():
    Subset([1, 2], [5])[0]


def unknown__three_of_a_pair():
    for _a, _b, _c in DataLoader(TensorDataset(torch.rand(4, 2), torch.rand(4))):
        pass


def unknown__random_integers():
    torch.randint(5, 5, (2,))


def unknown__three_sizes():
    v2.Resize((2, 2, 2))(torch.rand(3, 4, 4))


def unknown__even_kernel():
    v2.GaussianBlur(4)


def unknown__negative_angle():
    v2.RandomRotation(-3)


def unknown__model_name():
    models.get_model("resnet19")


def unknown__weights_name():
    models.resnet18(weights="IMAGENET1K_V9")


def unknown__module_with_arguments():
    nn.Module(3)


def unknown__autocast_of_nothing():
    torch.autocast()


def unknown__scaled_number():
    torch.amp.GradScaler("cpu").scale(3)


def unknown__exported_without_a_tuple():
    torch.export.export(nn.Linear(2, 2), torch.rand(1, 2))


def unknown__reduced_by_name():
    dist.AllreduceOptions().reduceOp = "sum"
