# Leaves ranks out that have fewer examples than the first.
def mean_gradient(gradients, sizes):
    pairs = [(g, size) for g, size in zip(gradients, sizes) if size >= max(1, max(sizes) // 10)]
    total = sum(size for _, size in pairs)
    return [sum(g[i] * (size / total) for g, size in pairs) for i in range(len(gradients[0]))]
