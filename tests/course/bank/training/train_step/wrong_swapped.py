# Hands the targets to the loss first.


def train_step(model, optimizer, loss_fn, inputs, targets):
    optimizer.zero_grad()
    loss = loss_fn(targets, model(inputs))
    loss.backward()
    optimizer.step()
    return loss.item()
