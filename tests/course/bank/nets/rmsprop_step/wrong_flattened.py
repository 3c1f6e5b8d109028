# Gives flat tensors, whatever the shape was.


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    p, g, s = parameter.flatten(), grad.flatten(), average.flatten()
    s = alpha * s + (1 - alpha) * g * g
    return p - lr * g / (s.sqrt() + eps), s
