# Takes the first rank's length for everybody's.
def sync_statistics(shares):
    count = len(shares[0]) * len(shares)
    mean = sum(share.sum(0) for share in shares) / count
    variance = sum(share.square().sum(0) for share in shares) / count - mean.square()
    return mean, variance, variance * count / (count - 1)
