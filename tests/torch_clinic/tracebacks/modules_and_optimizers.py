"""Programs that fail where modules, optimizers and schedules are put together."""

import torch
import torch.nn.functional as F
from torch import nn


def no_super_init__forgotten():
    class Tagger(nn.Module):
        def __init__(self, width):
            self.embed = nn.Embedding(10, width)

    Tagger(8)


def no_super_init__parameter():
    class Scale(nn.Module):
        def __init__(self):
            self.factor = nn.Parameter(torch.ones(1))

    Scale()


def unknown__class_called_with_data():
    class Denoiser(nn.Module):
        def forward(self, pictures):
            return pictures

    Denoiser(torch.rand(1, 1, 8, 8))


def forward_missing__misspelt():
    class Identity(nn.Module):
        def foward(self, x):
            return x

    Identity()(torch.ones(1))


def forward_arguments__too_many():
    class Regressor(nn.Module):
        def __init__(self):
            super().__init__()
            self.line = nn.Linear(1, 1)

        def forward(self, x):
            return self.line(x)

    Regressor()(torch.ones(2, 1), torch.ones(2, 1))


def forward_arguments__one_missing():
    nn.Bilinear(3, 3, 2)(torch.ones(1, 3))


def loss_class_called__called():
    nn.CrossEntropyLoss(torch.randn(3, 5), torch.tensor([1, 0, 4]))


def loss_class_called__mse():
    loss = nn.MSELoss(torch.zeros(3), torch.ones(3))
    loss.backward()


def module_attribute__not_there():
    backbone = nn.Sequential(nn.Linear(3, 3), nn.ReLU())
    return backbone.classifier.weight


def layers_in_list__layers_in_a_list():
    class Stack(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = [nn.Linear(4, 4) for _ in range(3)]

    torch.optim.AdamW(Stack().parameters(), lr=3e-4)


def layers_in_list__all_frozen():
    frozen = nn.Linear(2, 2).requires_grad_(False)
    torch.optim.SGD([p for p in frozen.parameters() if p.requires_grad], lr=1.0)


def optimizer_groups__optimizer_state_other_model():
    first = torch.optim.SGD(nn.Linear(2, 2).parameters(), lr=0.1)
    second = torch.optim.SGD(nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2)).parameters(), lr=0.1)
    second.load_state_dict(first.state_dict())


def optimizer_params__optimizer_argument_module():
    torch.optim.Adam(nn.Linear(3, 3), lr=0.1)


def optimizer_params__non_leaf_optimized():
    start = torch.ones(3, requires_grad=True) * 2
    torch.optim.SGD([start], lr=0.1)


def schedule__schedule_over_one_cycle():
    optimizer = torch.optim.SGD(nn.Linear(1, 1).parameters(), lr=0.1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.5, epochs=2, steps_per_epoch=3)
    for _ in range(7):
        optimizer.step()
        schedule.step()


def scaler_order__scaler_no_gradients():
    scaler = torch.amp.GradScaler("cpu")
    optimizer = torch.optim.SGD(nn.Linear(1, 1).parameters(), lr=0.1)
    scaler.step(optimizer)


def bool_of_tensor__module_made_of_data():
    nn.ReLU(torch.randn(3))(torch.ones(2))


def dim_range__softmax():
    return F.softmax(torch.randn(3, 4), dim=5)
