# Averages the variances: what lies between the ranks is lost.
def sync_statistics(shares):
    count = sum(len(share) for share in shares)
    mean = sum(share.sum(0) for share in shares) / count
    variance = sum(share.var(0, unbiased=False) * len(share) for share in shares) / count
    return mean, variance, variance * count / (count - 1)
