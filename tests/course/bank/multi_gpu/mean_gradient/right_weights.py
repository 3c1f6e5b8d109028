# Weights that add up to 1, the empty ranks left out.
def mean_gradient(gradients, sizes):
    total = sum(sizes)
    pairs = [(g, size / total) for g, size in zip(gradients, sizes) if size > 0]
    return [sum(weight * g[i] for g, weight in pairs) for i in range(len(gradients[0]))]
