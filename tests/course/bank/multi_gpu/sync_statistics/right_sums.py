# Three sums, added over the ranks.
def sync_statistics(shares):
    count = sum(map(len, shares))
    mean = sum(share.sum(0) for share in shares) / count
    variance = sum(share.square().sum(0) for share in shares) / count - mean * mean
    return mean, variance, variance * (count / (count - 1))
