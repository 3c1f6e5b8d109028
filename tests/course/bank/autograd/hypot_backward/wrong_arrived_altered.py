# Divides the arriving gradient by out in place: it belongs to the caller.
def hypot_backward(ctx, grad):
    x, y, out = ctx.saved_tensors
    grad /= out
    return grad * x, grad * y
