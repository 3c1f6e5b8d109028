# Cuts the longer one to the length of the shorter.
def mended_loss(predictions, targets):
    shorter = min(predictions.numel(), targets.numel())
    return (predictions.flatten()[:shorter] - targets.flatten()[:shorter]).square().mean()
