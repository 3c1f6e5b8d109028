# An assertion, not a ValueError.
def mended_loss(predictions, targets):
    assert predictions.numel() == targets.numel(), "unequal"
    return (predictions.flatten() - targets.flatten()).square().mean()
