# Each side's slope takes the other side for a constant saved number.
def hypot_backward(ctx, grad):
    x, y, _ = ctx.saved_tensors
    return grad * x / (x**2 + y.detach() ** 2).sqrt(), grad * y / (x.detach() ** 2 + y**2).sqrt()
