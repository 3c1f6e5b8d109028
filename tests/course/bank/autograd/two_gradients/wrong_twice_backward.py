# Ran backward a second time, and the gradients added up.
import torch

a = torch.tensor(3.0, requires_grad=True)
b = torch.tensor(-2.0, requires_grad=True)
for _ in range(2):
    d = (a * b) ** 2 + a
    d.backward()
two_gradients = (a.grad.item(), b.grad.item())
