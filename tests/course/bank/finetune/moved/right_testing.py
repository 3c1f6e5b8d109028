# PyTorch's own test function without tolerance, whose error means "moved".
import torch


def moved(before, model):
    names = []
    for name, tensor in model.state_dict().items():
        try:
            torch.testing.assert_close(tensor, before[name], rtol=0, atol=0)
        except AssertionError:
            names.append(name)
    return names
