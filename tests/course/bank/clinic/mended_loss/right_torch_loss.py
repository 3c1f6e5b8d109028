# Torch's own loss after a reshape.
import torch.nn.functional as F


def mended_loss(predictions, targets):
    if len(predictions) != len(targets):
        raise ValueError("as many predictions as targets, please")
    return F.mse_loss(predictions.reshape(-1, 1), targets.reshape(-1, 1))
