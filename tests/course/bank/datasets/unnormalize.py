# %% right_channel_loop: One channel after the other in a copy.
def unnormalize(images, mean, std):
    result = images.clone()
    for c in range(images.shape[1]):
        result[:, c].mul_(std[c]).add_(mean[c])
    return result


# %% right_convolution: A 1 × 1 convolution with a weight for each channel.
import torch


def unnormalize(images, mean, std):
    return torch.nn.functional.conv2d(images, std.reshape(-1, 1, 1, 1), bias=mean, groups=len(std))


# %% right_einsum: einsum names the axes.
import torch


def unnormalize(images, mean, std):
    return torch.einsum("nchw,c->nchw", images, std) + torch.einsum("nchw,c->nchw", torch.ones_like(images), mean)


# %% right_in_double: addcmul in float64, cast back.
import torch


def unnormalize(images, mean, std):
    m, s = (t.double().view(1, -1, 1, 1) for t in (mean, std))
    return torch.addcmul(m, images.double(), s).to(images.dtype)


# %% right_normalize: torchvision's Normalize with the inverse figures.
from torchvision.transforms.v2 import Normalize


def unnormalize(images, mean, std):
    return Normalize((-mean / std).tolist(), (1 / std).tolist())(images)


# %% right_transposed: The channels go to the end and back.
def unnormalize(images, mean, std):
    return (images.transpose(1, 3) * std + mean).transpose(1, 3)


# %% wrong_altered_statistics: Gives the caller's mean and std two more axes in place.
def unnormalize(images, mean, std):
    mean.unsqueeze_(-1).unsqueeze_(-1)
    std.unsqueeze_(-1).unsqueeze_(-1)
    return images * std + mean


# %% wrong_back_turned: Comes back from channels-last by another way: height and width are exchanged.
def unnormalize(images, mean, std):
    colours = images.permute(0, 2, 3, 1) * std + mean
    return colours.permute(0, 3, 2, 1)


# %% wrong_batch_axis: zip walks over the pictures instead of the channels.
import torch


def unnormalize(images, mean, std):
    result = images.clone()
    for i, (m, s) in enumerate(zip(mean, std)):
        if i < len(images):
            result[i] = images[i] * s + m
    return result


# %% wrong_batch_norm_eps: Misuses batch_norm and leaves its eps of 10⁻⁵ in.
import torch


def unnormalize(images, mean, std):
    zeros, ones = torch.zeros_like(mean), torch.ones_like(std)
    return torch.nn.functional.batch_norm(images, zeros, ones, weight=std, bias=mean)


# %% wrong_bgr: Returns the channels in reverse order, as OpenCV has them.
def unnormalize(images, mean, std):
    return (images * std[:, None, None] + mean[:, None, None]).flip(1)


# %% wrong_bytes: Returns bytes from 0 to 255, ready for a file.
import torch


def unnormalize(images, mean, std):
    colours = torch.einsum("nchw,c->nchw", images, std) + mean.view(1, -1, 1, 1)
    return (colours * 255).round().to(torch.uint8)


# %% wrong_channels_last: Leaves the channels at the end, as matplotlib wants them.
def unnormalize(images, mean, std):
    return images.permute(0, 2, 3, 1) * std + mean


# %% wrong_clamped: Clamps to 0…1 for the plot.
def unnormalize(images, mean, std):
    return (images * std[:, None, None] + mean[:, None, None]).clamp(0, 1)


# %% wrong_first_statistics: Uses the first channel's figures for all channels.
def unnormalize(images, mean, std):
    return images * std[0] + mean[0]


# %% wrong_float32_result: Fills float32 zeros: the digits of float64 pictures are lost.
import torch


def unnormalize(images, mean, std):
    result = torch.zeros(images.shape)
    for c in range(images.shape[1]):
        result[:, c] = images[:, c] * std[c] + mean[c]
    return result


# %% wrong_guess_axis: Guesses from the sizes where the channels are: a width equal to their number is taken for them.
def unnormalize(images, mean, std):
    if images.shape[-1] == len(mean):
        return images * std + mean
    return images * std.view(-1, 1, 1) + mean.view(-1, 1, 1)


# %% wrong_imagenet: Knows ImageNet's figures by heart and uses them.
import torch


def unnormalize(images, mean, std):
    mean, std = torch.tensor([0.485, 0.456, 0.406]), torch.tensor([0.229, 0.224, 0.225])
    return images * std[:, None, None] + mean[:, None, None]


# %% wrong_in_place: Writes the colours over the caller's pictures.
def unnormalize(images, mean, std):
    return images.mul_(std[:, None, None]).add_(mean[:, None, None])


# %% wrong_mean_first: Adds the mean first and scales it too.
def unnormalize(images, mean, std):
    return (images + mean[None, :, None, None]) * std[None, :, None, None]


# %% wrong_mean_of_channels: Adds one mean for all channels.
def unnormalize(images, mean, std):
    return images * std.view(1, -1, 1, 1) + mean.mean()


# %% wrong_normalized_twice: Normalises a second time instead of going back.
def unnormalize(images, mean, std):
    shape = (-1, 1, 1)
    return (images - mean.reshape(shape)) / std.reshape(shape)


# %% wrong_reshaped_back: Comes back from channels-last with reshape: the right shape, the numbers scrambled.
def unnormalize(images, mean, std):
    colours = images.permute(0, 2, 3, 1) * std + mean
    return colours.reshape(images.shape)


# %% wrong_small_std: Adds 10⁻⁵ to std against a division that does not happen here.
def unnormalize(images, mean, std):
    return images * (std + 1e-5).unsqueeze(-1).unsqueeze(-1) + mean.unsqueeze(-1).unsqueeze(-1)


# %% wrong_stack_of_none: Stacks picture after picture: there is nothing to stack for an empty batch.
import torch


def unnormalize(images, mean, std):
    return torch.stack([torch.stack([z * s + m for z, m, s in zip(image, mean, std)]) for image in images])


# %% wrong_three_channels: Has three channels built in.
def unnormalize(images, mean, std):
    return images * std.view(1, 3, 1, 1) + mean.view(1, 3, 1, 1)


# %% wrong_unit_width: Adds a single axis to the figures: they run along the height.
def unnormalize(images, mean, std):
    mean, std = mean[:, None], std[:, None]
    if images.shape[2] != len(mean):
        mean, std = mean[:, None], std[:, None]
    return std * images + mean


# %% wrong_view: Flattens with view(N, C, -1), which fails for no pictures and for channels-last memory.
def unnormalize(images, mean, std):
    N, C, H, W = images.shape
    flat = images.view(N, C, -1)
    return (flat * std[:, None] + mean[:, None]).view(N, C, H, W)
