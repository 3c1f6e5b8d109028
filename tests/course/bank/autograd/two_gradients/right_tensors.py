# Two tensors of one number each, as backward leaves them.
import torch

a = torch.tensor(3.0, requires_grad=True)
b = torch.tensor(-2.0, requires_grad=True)
c = a * b
(c * c + a).backward()
two_gradients = (a.grad, b.grad)
