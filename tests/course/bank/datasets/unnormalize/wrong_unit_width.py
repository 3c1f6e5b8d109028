# Adds a single axis to the figures: they run along the height.
def unnormalize(images, mean, std):
    mean, std = mean[:, None], std[:, None]
    if images.shape[2] != len(mean):
        mean, std = mean[:, None], std[:, None]
    return std * images + mean
