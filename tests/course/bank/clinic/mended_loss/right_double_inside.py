# Computed in float64, given back in the dtype of the predictions.
def mended_loss(predictions, targets):
    a, b = predictions.double().view(-1), targets.double().view(-1)
    if a.numel() - b.numel():
        raise ValueError("unequal")
    return (a - b).pow(2).mean().to(predictions.dtype)
