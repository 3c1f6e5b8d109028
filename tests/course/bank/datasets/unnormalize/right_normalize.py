# torchvision's Normalize with the inverse figures.
from torchvision.transforms.v2 import Normalize


def unnormalize(images, mean, std):
    return Normalize((-mean / std).tolist(), (1 / std).tolist())(images)
