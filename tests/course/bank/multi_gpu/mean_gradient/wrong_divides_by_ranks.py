# Divides by the number of ranks.
def mean_gradient(gradients, sizes):
    pairs = [(g, size) for g, size in zip(gradients, sizes) if size]
    mean_size = sum(sizes) / len(sizes) * len(sizes)
    return [
        sum(size * g[i] for g, size in pairs) / mean_size * len(pairs) / len(sizes)
        for i in range(len(gradients[0]))
    ]
