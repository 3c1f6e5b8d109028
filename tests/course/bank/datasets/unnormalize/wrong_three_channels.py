# Has three channels built in.
def unnormalize(images, mean, std):
    return images * std.view(1, 3, 1, 1) + mean.view(1, 3, 1, 1)
