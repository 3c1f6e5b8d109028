# Corrects for the start as Adam's first step does.


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = alpha * average + (1 - alpha) * grad**2
    hat = new / (1 - alpha)
    return parameter - lr * grad / (hat.sqrt() + eps), new
