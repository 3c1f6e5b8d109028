# Divides by the examples seen so far, not by all.


def accumulate(model, loss_fn, chunks):
    seen = 0
    model.zero_grad()
    for inputs, targets in chunks:
        seen += len(inputs)
        loss = loss_fn(model(inputs), targets) * len(inputs) / seen
        loss.backward()
