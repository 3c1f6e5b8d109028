# Takes eps as the least divisor instead of adding it.


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = alpha * average + (1 - alpha) * grad.pow(2)
    return parameter - lr * grad / new.sqrt().clamp(min=eps), new
