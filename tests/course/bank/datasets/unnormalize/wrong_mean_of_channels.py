# Adds one mean for all channels.
def unnormalize(images, mean, std):
    return images * std.view(1, -1, 1, 1) + mean.mean()
