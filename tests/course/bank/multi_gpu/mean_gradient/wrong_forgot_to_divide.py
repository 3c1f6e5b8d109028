# The sum over all examples.
def mean_gradient(gradients, sizes):
    pairs = [(g, size) for g, size in zip(gradients, sizes) if size]
    return [sum(size * g[i] for g, size in pairs) for i in range(len(gradients[0]))]
