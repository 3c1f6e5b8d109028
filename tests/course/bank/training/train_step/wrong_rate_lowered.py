# Lowers the optimiser's rate after every step: right at the first call.


def train_step(model, optimizer, loss_fn, inputs, targets):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    for group in optimizer.param_groups:
        group["lr"] *= 0.99
    return loss.item()
