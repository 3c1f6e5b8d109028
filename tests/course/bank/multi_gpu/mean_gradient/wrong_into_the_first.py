# Adds up inside rank 0's own tensors.
def mean_gradient(gradients, sizes):
    total = sum(sizes)
    first = gradients[0]
    for i, tensor in enumerate(first):
        if sizes[0]:
            tensor.mul_(sizes[0] / total)
        else:
            tensor.zero_()
        for g, size in zip(gradients[1:], sizes[1:]):
            if size:
                tensor.add_(g[i], alpha=size / total)
    return first
