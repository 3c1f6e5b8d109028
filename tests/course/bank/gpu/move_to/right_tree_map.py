# PyTorch's own tree functions, with nothing written by hand.
import torch
from torch.utils._pytree import tree_map_only


def move_to(batch, device):
    return tree_map_only(torch.Tensor, lambda tensor: tensor.to(device), batch)
