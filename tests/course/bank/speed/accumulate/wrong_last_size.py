# Divides by the size of the last chunk times their number.


def accumulate(model, loss_fn, chunks):
    model.zero_grad()
    total = len(chunks) * len(chunks[-1][0])
    for index in range(len(chunks)):
        outputs = model(chunks[index][0])
        loss_fn(outputs, chunks[index][1]).mul(len(outputs) / total).backward()
