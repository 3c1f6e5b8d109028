# Forgets the 2 from the square, but keeps the 2 of the root.
def hypot_backward(ctx, grad):
    x, y, out = ctx.saved_tensors
    return grad * x / (2 * out), grad * y / (2 * out)
