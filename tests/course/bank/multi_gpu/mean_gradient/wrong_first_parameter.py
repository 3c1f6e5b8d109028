# Only the first parameter's gradient.
def mean_gradient(gradients, sizes):
    total = sum(sizes)
    return [sum(g[0] * (size / total) for g, size in zip(gradients, sizes) if size)]
