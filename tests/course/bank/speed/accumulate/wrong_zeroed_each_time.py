# Clears the gradients before each chunk: the last one alone is left.


def accumulate(model, loss_fn, chunks):
    total = sum(map(len, (inputs for inputs, _ in chunks)))
    for inputs, targets in chunks:
        model.zero_grad()
        loss = loss_fn(model(inputs), targets) * len(inputs) / total
        loss.backward()
