# PyTorch's optimizer on a copy, its state filled by hand.
import torch


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    copy = parameter.detach().clone().requires_grad_()
    copy.grad = grad.detach().clone()
    optimizer = torch.optim.RMSprop([copy], lr=lr, alpha=alpha, eps=eps)
    optimizer.state[copy] = {"step": torch.tensor(0.0), "square_avg": average.detach().clone()}
    optimizer.step()
    return copy.detach(), optimizer.state[copy]["square_avg"]
