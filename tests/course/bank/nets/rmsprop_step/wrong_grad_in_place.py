# Squares the caller's gradient in place; both results are right.


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    slope = grad.clone()
    new = alpha * average + (1 - alpha) * grad.square_()
    return parameter - lr * slope / (new.sqrt() + eps), new
