# Hands back the mean loss, where nothing is to be returned.


def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    whole = 0.0
    for inputs, targets in chunks:
        loss = loss_fn(model(inputs), targets) * len(inputs) / total
        loss.backward()
        whole += loss.item()
    return whole
