# Clears with grad.zero_(), but before the first backward there is no gradient.


def train_step(model, optimizer, loss_fn, inputs, targets):
    for p in model.parameters():
        p.grad.zero_()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.item()
