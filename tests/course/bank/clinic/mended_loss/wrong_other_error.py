# Lets torch raise its RuntimeError instead of a ValueError.
def mended_loss(predictions, targets):
    return (predictions.view(-1) - targets.view(predictions.numel())).square().mean()
