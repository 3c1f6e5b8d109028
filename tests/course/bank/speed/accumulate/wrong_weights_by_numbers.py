# Weighs by the numbers in the inputs, against a total in examples.


def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    for inputs, targets in chunks:
        (loss_fn(model(inputs), targets) * inputs.numel() / total).backward()
