# Gives a plain number: the value is right, and there is no gradient.


def cross_entropy(logits, targets):
    total = 0.0
    for row, target in zip(logits, targets):
        row = row - row.max()
        total += (row.exp().sum().log() - row[target]).item()
    return total / len(targets)
