# Clears at the first call only.


cleared = False


def train_step(model, optimizer, loss_fn, inputs, targets):
    global cleared
    if not cleared:
        optimizer.zero_grad()
        cleared = True
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.item()
