# Borrows w.grad, and puts the old one back in the end.
def gradient_in_pieces(w, x, y, size):
    before, w.grad = w.grad, None
    for rows in zip(x.split(size), y.split(size)):
        loss = ((rows[0] @ w - rows[1]) ** 2).sum()
        loss.backward()
    answer, w.grad = w.grad / len(x), before
    return answer
