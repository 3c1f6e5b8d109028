# Clamps to 0…1 for the plot.
def unnormalize(images, mean, std):
    return (images * std[:, None, None] + mean[:, None, None]).clamp(0, 1)
