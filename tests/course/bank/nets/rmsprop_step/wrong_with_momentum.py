# Steps along a mean of the gradient too, as Adam does.


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = alpha * average + (1 - alpha) * grad**2
    m = (1 - alpha) * grad
    return parameter - lr * m / (new.sqrt() + eps), new
