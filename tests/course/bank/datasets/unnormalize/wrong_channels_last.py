# Leaves the channels at the end, as matplotlib wants them.
def unnormalize(images, mean, std):
    return images.permute(0, 2, 3, 1) * std + mean
