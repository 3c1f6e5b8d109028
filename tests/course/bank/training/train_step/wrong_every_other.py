# Steps at every other call only, as in gradient accumulation.


calls = 0


def train_step(model, optimizer, loss_fn, inputs, targets):
    global calls
    if calls % 2 == 0:
        optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    calls += 1
    if calls % 2 == 0:
        optimizer.step()
    return loss.item()
