# Divides by N - 1, as a variance would.
def mended_loss(predictions, targets):
    if predictions.numel() != targets.numel():
        raise ValueError("unequal")
    return (predictions.flatten() - targets.flatten()).square().sum() / max(1, predictions.numel() - 1)
