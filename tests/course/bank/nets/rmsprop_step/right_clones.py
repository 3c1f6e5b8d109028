# In place on copies, with the fused operations.


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    new = average.clone().mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
    moved = parameter.clone().addcdiv_(grad, new.sqrt().add_(eps), value=-lr)
    return moved, new
