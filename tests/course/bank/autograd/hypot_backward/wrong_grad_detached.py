# Takes what arrives as a constant, though it depends on x and y as soon as something follows.
def hypot_backward(ctx, grad):
    x, y, out = ctx.saved_tensors
    arrived = grad.detach()
    return arrived * x / out, arrived * y / out
