# Flattens both and compares the counts.
def mended_loss(predictions, targets):
    if predictions.numel() != targets.numel():
        raise ValueError(f"{predictions.numel()} predictions for {targets.numel()} targets")
    return (predictions.flatten() - targets.flatten()).square().mean()
