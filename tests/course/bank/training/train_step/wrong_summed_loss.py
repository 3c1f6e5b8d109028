# Multiplies the returned loss by the number of examples.


def train_step(model, optimizer, loss_fn, inputs, targets):
    loss = loss_fn(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return len(inputs) * loss.item()
