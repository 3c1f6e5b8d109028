# Adds 1e-12 inside the logarithm: no loss is ever above 27.6.


def cross_entropy(logits, targets):
    probability = logits.softmax(dim=1).gather(1, targets.unsqueeze(1))
    return -(probability + 1e-12).log().mean()
