# Renews the caller's average in place and hands it back.


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    average.mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
    return parameter - lr * grad / (average.sqrt() + eps), average
