# Compares within a tolerance far below what rounding does, but above nothing.
import torch


def moved(before, model):
    return [
        name
        for name, tensor in model.state_dict().items()
        if not torch.allclose(tensor.double(), before[name].double(), rtol=0, atol=1e-12)
    ]
