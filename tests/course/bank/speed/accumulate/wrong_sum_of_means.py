# The means of the chunks are added, not averaged.


def accumulate(model, loss_fn, chunks):
    model.zero_grad()
    for inputs, targets in chunks:
        loss = loss_fn(model(inputs), targets)
        loss.backward()
