# Hands backward its first gradient, and clears by zeros.
import torch


def accumulate(model, loss_fn, chunks):
    sizes = torch.tensor([float(len(inputs)) for inputs, _ in chunks])
    model.zero_grad(set_to_none=False)
    for share, (inputs, targets) in zip(sizes / sizes.sum(), chunks, strict=True):
        loss = loss_fn(model(inputs), targets)
        loss.backward(gradient=share.to(loss))
        del loss
