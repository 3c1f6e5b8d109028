# einsum names the axes.
import torch


def unnormalize(images, mean, std):
    return torch.einsum("nchw,c->nchw", images, std) + torch.einsum("nchw,c->nchw", torch.ones_like(images), mean)
