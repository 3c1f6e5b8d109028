# Returns bytes from 0 to 255, ready for a file.
import torch


def unnormalize(images, mean, std):
    colours = torch.einsum("nchw,c->nchw", images, std) + mean.view(1, -1, 1, 1)
    return (colours * 255).round().to(torch.uint8)
