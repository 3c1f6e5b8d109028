# The square of the sum instead of the sum of squares.
def sync_statistics(shares):
    count = sum(len(share) for share in shares)
    total = sum(share.sum(0) for share in shares)
    mean = total / count
    variance = (sum(share.sum(0).square() for share in shares) / count - mean.square()).abs()
    return mean, variance, variance * count / (count - 1)
