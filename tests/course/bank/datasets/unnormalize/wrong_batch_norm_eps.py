# Misuses batch_norm and leaves its eps of 10⁻⁵ in.
import torch


def unnormalize(images, mean, std):
    zeros, ones = torch.zeros_like(mean), torch.ones_like(std)
    return torch.nn.functional.batch_norm(images, zeros, ones, weight=std, bias=mean)
