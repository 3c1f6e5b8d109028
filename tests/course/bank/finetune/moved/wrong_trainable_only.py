# Leaves out the parameters that need no gradient: a frozen one can move as well.
import torch


def moved(before, model):
    frozen = {name for name, parameter in model.named_parameters() if not parameter.requires_grad}
    return [
        name
        for name, tensor in model.state_dict().items()
        if name not in frozen and not torch.equal(tensor, before[name])
    ]
