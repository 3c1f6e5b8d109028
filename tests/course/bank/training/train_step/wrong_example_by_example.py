# A step for every example: many steps on one batch.


def train_step(model, optimizer, loss_fn, inputs, targets):
    total = 0.0
    for i in range(len(inputs)):
        optimizer.zero_grad()
        loss = loss_fn(model(inputs[i : i + 1]), targets[i : i + 1])
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(inputs)
