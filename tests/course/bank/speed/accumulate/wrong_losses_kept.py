# Keeps the losses with their retained graphs in a list, for a log.


def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    losses = []
    for inputs, targets in chunks:
        losses.append(loss_fn(model(inputs), targets) * len(inputs) / total)
        losses[-1].backward(retain_graph=True)
