# Switches the gradients of all parameters on.


def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    for parameter in model.parameters():
        parameter.requires_grad_(True)
        parameter.grad = None
    for inputs, targets in chunks:
        (loss_fn(model(inputs), targets) * len(inputs) / total).backward()
