# Gives a tensor with one element instead of a whole number.
import torch


def conv_size(size, kernel, stride, padding):
    room = torch.tensor([size + 2 * padding - kernel])
    return torch.div(room, stride, rounding_mode="floor") + 1
