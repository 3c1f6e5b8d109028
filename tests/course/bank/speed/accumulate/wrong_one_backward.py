# Adds the losses and goes back once: all graphs are kept till then.


def accumulate(model, loss_fn, chunks):
    total = sum(len(targets) for _, targets in chunks)
    model.zero_grad()
    loss = 0.0
    for inputs, targets in chunks:
        loss = loss + loss_fn(model(inputs), targets) * (len(targets) / total)
    loss.backward()
