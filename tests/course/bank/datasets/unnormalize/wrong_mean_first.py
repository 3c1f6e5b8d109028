# Adds the mean first and scales it too.
def unnormalize(images, mean, std):
    return (images + mean[None, :, None, None]) * std[None, :, None, None]
