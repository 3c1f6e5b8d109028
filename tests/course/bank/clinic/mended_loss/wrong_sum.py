# The sum of the squares, not their mean.
def mended_loss(predictions, targets):
    if predictions.numel() != targets.numel():
        raise ValueError("unequal")
    return (predictions.flatten() - targets.flatten()).square().sum()
