# A running mean: every rank moves it by its share.
def mean_gradient(gradients, sizes):
    mean, seen = None, 0
    for g, size in zip(gradients, sizes):
        if not size:
            continue
        seen += size
        mean = [t.clone() for t in g] if mean is None else [m.lerp(t, size / seen) for m, t in zip(mean, g)]
    return mean
