# Comes back from channels-last with reshape: the right shape, the numbers scrambled.
def unnormalize(images, mean, std):
    colours = images.permute(0, 2, 3, 1) * std + mean
    return colours.reshape(images.shape)
