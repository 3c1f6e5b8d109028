# One channel after the other in a copy.
def unnormalize(images, mean, std):
    result = images.clone()
    for c in range(images.shape[1]):
        result[:, c].mul_(std[c]).add_(mean[c])
    return result
