# Takes out as a constant: the second slopes lack a part.
def hypot_backward(ctx, grad):
    x, y, out = ctx.saved_tensors
    scale = grad / out.detach()
    return scale * x, scale * y
