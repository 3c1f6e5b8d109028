# Reduces what arrives to one number.
def hypot_backward(ctx, grad):
    x, y, out = ctx.saved_tensors
    return grad.sum() * x / out, grad.sum() * y / out
