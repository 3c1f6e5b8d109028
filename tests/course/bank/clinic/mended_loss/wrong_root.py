# The root of the mean square, which is another loss.
def mended_loss(predictions, targets):
    if predictions.numel() != targets.numel():
        raise ValueError("unequal")
    return (predictions.reshape(-1) - targets.reshape(-1)).square().mean().sqrt()
