# A function for one chunk, whose names are gone when it ends; from the last chunk on.


def accumulate(model, loss_fn, chunks):
    def part(inputs, targets, share):
        (share * loss_fn(model(inputs), targets)).backward()

    model.zero_grad(set_to_none=True)
    number = sum(len(chunk[1]) for chunk in chunks)
    for chunk in reversed(chunks):
        part(*chunk, share=len(chunk[1]) / number)
