# Lets PyTorch do it and turns the result into Python numbers.
import torch

leaves = [torch.tensor(value, dtype=torch.float64, requires_grad=True) for value in (3.0, -2.0)]
c = leaves[0] * leaves[1]
two_gradients = tuple(g.item() for g in torch.autograd.grad(c * c + leaves[0], leaves))
