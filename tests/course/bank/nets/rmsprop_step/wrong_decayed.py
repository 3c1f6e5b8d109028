# Pulls the parameter towards 0 as well.


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = alpha * average + (1 - alpha) * grad**2
    return parameter * (1 - lr * 0.01) - lr * grad / (new.sqrt() + eps), new
