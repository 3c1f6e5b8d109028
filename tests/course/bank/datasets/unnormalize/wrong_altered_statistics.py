# Gives the caller's mean and std two more axes in place.
def unnormalize(images, mean, std):
    mean.unsqueeze_(-1).unsqueeze_(-1)
    std.unsqueeze_(-1).unsqueeze_(-1)
    return images * std + mean
