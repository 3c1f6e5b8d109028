# Works on flat views, which a transposed tensor does not have.


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    p, g, s = (tensor.view(-1) for tensor in (parameter, grad, average))
    s = alpha * s + (1 - alpha) * g * g
    p = p - lr * g / (s.sqrt() + eps)
    return p.view(parameter.shape), s.view(average.shape)
