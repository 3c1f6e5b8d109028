# Keeps the average between calls in a global, and after the first call does not look at the argument.


memory = {}


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    old = memory.get(parameter.shape, average)
    new = memory[parameter.shape] = alpha * old + (1 - alpha) * grad**2
    return parameter - lr * grad / (new.sqrt() + eps), new.clone()
