# Gives the average first and the parameter second.


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = alpha * average + (1 - alpha) * grad**2
    return new, parameter - lr * grad / (new.sqrt() + eps)
