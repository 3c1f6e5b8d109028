# backward adds up in a leaf of its own; w and its .grad are not touched.
def gradient_in_pieces(w, x, y, size):
    leaf = w.detach().clone().requires_grad_()
    for start in range(0, len(x), size):
        error = x[start : start + size] @ leaf - y[start : start + size]
        (error.square().sum() / len(x)).backward()
    return leaf.grad
