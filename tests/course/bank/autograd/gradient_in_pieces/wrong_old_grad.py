# Returns w.grad with what was in it from before.
def gradient_in_pieces(w, x, y, size):
    for start in range(0, len(x), size):
        piece = slice(start, start + size)
        loss = ((x[piece] @ w - y[piece]) ** 2).sum() / len(x)
        loss.backward()
    return w.grad.clone()
