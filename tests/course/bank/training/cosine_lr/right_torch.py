# Torch in float64 in between, a number in the end.
import torch


def cosine_lr(step, total_steps, max_lr):
    t = torch.tensor(step, dtype=torch.float64) / total_steps
    return (max_lr * (1 + torch.cos(torch.pi * t)) / 2).item()
