# Takes the length of the pair for the size of the chunk.


def accumulate(model, loss_fn, chunks):
    total = sum(len(chunk) for chunk in chunks)
    model.zero_grad()
    for chunk in chunks:
        inputs, targets = chunk
        (loss_fn(model(inputs), targets) * len(chunk) / total).backward()
