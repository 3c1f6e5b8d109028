# Normalises a second time instead of going back.
def unnormalize(images, mean, std):
    shape = (-1, 1, 1)
    return (images - mean.reshape(shape)) / std.reshape(shape)
