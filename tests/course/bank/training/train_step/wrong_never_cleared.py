# Never clears: the gradients of all batches add up.


def train_step(model, optimizer, loss_fn, inputs, targets):
    outputs = model(inputs)
    loss = loss_fn(outputs, targets)
    loss.backward()
    optimizer.step()
    return float(loss)
