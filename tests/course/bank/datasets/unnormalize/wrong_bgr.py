# Returns the channels in reverse order, as OpenCV has them.
def unnormalize(images, mean, std):
    return (images * std[:, None, None] + mean[:, None, None]).flip(1)
