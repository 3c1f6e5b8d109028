# Averages the sizes of the gradient instead of their squares.


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = (alpha * average.sqrt() + (1 - alpha) * grad.abs()) ** 2
    return parameter - lr * grad / (new.sqrt() + eps), new
