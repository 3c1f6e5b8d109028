# Sets every gradient of the optimiser's groups to None, then backward; the number through a list.


def train_step(model, optimizer, loss_fn, inputs, targets):
    for group in optimizer.param_groups:
        for p in group["params"]:
            p.grad = None
    outputs = model(inputs)
    loss = loss_fn(outputs, targets)
    before = loss.tolist()
    loss.backward()
    optimizer.step()
    return before
