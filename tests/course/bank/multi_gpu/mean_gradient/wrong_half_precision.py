# Averages in 16 bits.
def mean_gradient(gradients, sizes):
    total = sum(sizes)
    return [
        sum(g[i].half() * (size / total) for g, size in zip(gradients, sizes) if size).to(gradients[0][i].dtype)
        for i in range(len(gradients[0]))
    ]
