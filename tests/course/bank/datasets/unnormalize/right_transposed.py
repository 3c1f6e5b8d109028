# The channels go to the end and back.
def unnormalize(images, mean, std):
    return (images.transpose(1, 3) * std + mean).transpose(1, 3)
