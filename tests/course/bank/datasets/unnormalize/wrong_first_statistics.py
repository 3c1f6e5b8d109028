# Uses the first channel's figures for all channels.
def unnormalize(images, mean, std):
    return images * std[0] + mean[0]
