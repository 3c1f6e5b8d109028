# Adds an axis to the targets whatever they have: (N, 1) becomes (N, 1, 1).
def mended_loss(predictions, targets):
    if len(predictions) != len(targets):
        raise ValueError("unequal")
    if predictions.dim() == 2:
        targets = targets.unsqueeze(1)
    return (predictions - targets).square().mean()
