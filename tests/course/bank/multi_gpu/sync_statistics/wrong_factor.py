# Corrects by the number of ranks less one.
def sync_statistics(shares):
    count = sum(len(share) for share in shares)
    mean = sum(share.sum(0) for share in shares) / count
    variance = sum(share.square().sum(0) for share in shares) / count - mean.square()
    return mean, variance, variance * len(shares) / max(1, len(shares) - 1)
