# Hands back the old parameter itself where the gradient is all zeros.


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    if not grad.any():
        return parameter, alpha * average
    new = alpha * average + (1 - alpha) * grad**2
    return parameter - lr * grad / (new.sqrt() + eps), new
