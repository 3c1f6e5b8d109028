# One average for all numbers: the mean of the squared gradient.


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = alpha * average + (1 - alpha) * grad.square().mean()
    return parameter - lr * grad / (new.sqrt() + eps), new
