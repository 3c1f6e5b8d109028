# Multiplies by count - 1 over count, the wrong way round.
def sync_statistics(shares):
    count = sum(len(share) for share in shares)
    mean = sum(share.sum(0) for share in shares) / count
    variance = sum(share.square().sum(0) for share in shares) / count - mean.square()
    return mean, variance, variance * (count - 1) / count
