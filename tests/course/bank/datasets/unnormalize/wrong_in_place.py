# Writes the colours over the caller's pictures.
def unnormalize(images, mean, std):
    return images.mul_(std[:, None, None]).add_(mean[:, None, None])
