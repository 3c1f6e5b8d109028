# Always answers in float32.
def mean_gradient(gradients, sizes):
    total = sum(sizes)
    return [
        sum(g[i] * (size / total) for g, size in zip(gradients, sizes) if size).float()
        for i in range(len(gradients[0]))
    ]
