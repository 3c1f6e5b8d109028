# Turns both results into float32, whatever came in.


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    parameter, grad, average = parameter.float(), grad.float(), average.float()
    new = alpha * average + (1 - alpha) * grad**2
    return parameter - lr * grad / (new.sqrt() + eps), new
