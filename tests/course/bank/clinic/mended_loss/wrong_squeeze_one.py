# squeeze() of one number gives a scalar, which then fits everything.
import torch.nn.functional as F


def mended_loss(predictions, targets):
    predictions, targets = predictions.squeeze(), targets.squeeze()
    if predictions.dim() and targets.dim() and len(predictions) != len(targets):
        raise ValueError("unequal")
    return F.mse_loss(predictions, targets)
