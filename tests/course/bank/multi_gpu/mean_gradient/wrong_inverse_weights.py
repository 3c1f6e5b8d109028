# Weighs the small rank most.
def mean_gradient(gradients, sizes):
    weights = [1 / size if size else 0.0 for size in sizes]
    total = sum(weights)
    return [
        sum(g[i] * (weight / total) for g, weight in zip(gradients, weights) if weight)
        for i in range(len(gradients[0]))
    ]
