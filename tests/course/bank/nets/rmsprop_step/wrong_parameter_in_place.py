# Moves the caller's parameter, as an optimizer does.


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = alpha * average + (1 - alpha) * grad * grad
    parameter -= lr * grad / (new.sqrt() + eps)
    return parameter, new
