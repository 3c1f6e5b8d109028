# Takes the chunks out of the list that was given.


def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    while chunks:
        inputs, targets = chunks.pop()
        (loss_fn(model(inputs), targets) * len(inputs) / total).backward()
