# Sends all chunks through the model first, then goes back chunk by chunk.


def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    losses = [loss_fn(model(inputs), targets) * len(inputs) / total for inputs, targets in chunks]
    for loss in losses:
        loss.backward()
