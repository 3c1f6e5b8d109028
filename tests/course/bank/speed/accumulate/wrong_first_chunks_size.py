# Takes every chunk for as large as the first.


def accumulate(model, loss_fn, chunks):
    size = len(chunks[0][0])
    model.zero_grad()
    for inputs, targets in chunks:
        (loss_fn(model(inputs), targets) * len(inputs) / (size * len(chunks))).backward()
