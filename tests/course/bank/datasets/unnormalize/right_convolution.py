# A 1 × 1 convolution with a weight for each channel.
import torch


def unnormalize(images, mean, std):
    return torch.nn.functional.conv2d(images, std.reshape(-1, 1, 1, 1), bias=mean, groups=len(std))
