# Clears w.grad in place, which fails as long as there is none.
def gradient_in_pieces(w, x, y, size):
    w.grad.zero_()
    for xs, ys in zip(x.split(size), y.split(size)):
        loss = ((xs @ w - ys) ** 2).mean() * len(xs) / len(x)
        loss.backward()
    return w.grad.clone()
