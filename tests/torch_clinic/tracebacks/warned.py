"""Programs that raise nothing and warn; what is read is the warning as Python prints it."""

import torch
import torch.nn.functional as F
from torch import nn


def broadcast_loss__column_against_row():
    prices = nn.Linear(3, 1)(torch.randn(24, 3))
    F.mse_loss(prices, torch.zeros(24))


def broadcast_loss__absolute():
    nn.L1Loss()(torch.zeros(5, 1), torch.zeros(5))


def broadcast_loss__smooth():
    nn.SmoothL1Loss()(torch.zeros(6), torch.zeros(6, 1))


def schedule__schedule_before_step():
    optimizer = torch.optim.SGD(nn.Linear(1, 1).parameters(), lr=0.1)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 5)
    schedule.step()
    optimizer.step()


def unknown__copy_of_a_tensor():
    return torch.tensor(torch.ones(3))
