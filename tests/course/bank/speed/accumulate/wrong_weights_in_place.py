# Multiplies the gradients of the old chunks too, at every chunk.


def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    for inputs, targets in chunks:
        loss_fn(model(inputs), targets).backward()
        for parameter in model.parameters():
            if parameter.grad is not None:
                parameter.grad *= len(inputs) / total
