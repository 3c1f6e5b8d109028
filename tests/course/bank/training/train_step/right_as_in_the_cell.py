# The order of the notebook, and float() for the number.


def train_step(model, optimizer, loss_fn, inputs, targets):
    loss = loss_fn(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return float(loss)
