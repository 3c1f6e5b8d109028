# Hands back the old average itself where alpha is 1 and nothing would change.


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = average if alpha == 1 else alpha * average + (1 - alpha) * grad**2
    return parameter - lr * grad / (new.sqrt() + eps), new
