# Unpacks what was saved in another order.
def hypot_backward(ctx, grad):
    out, x, y = ctx.saved_tensors
    return grad * x / out, grad * y / out
