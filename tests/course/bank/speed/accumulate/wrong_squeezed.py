# Squeezes the outputs, which breaks a chunk of one example.


def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    for inputs, targets in chunks:
        loss = loss_fn(model(inputs).squeeze(), targets) * len(inputs) / total
        loss.backward()
