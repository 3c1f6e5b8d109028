# Puts half of the zeros in front and half behind.
import torch


def fit_length(waveform, length, generator):
    L = waveform.shape[1]
    if L >= length:
        start = torch.randint(0, L - length + 1, (1,), generator=generator).item()
        return waveform[:, start : start + length]
    front = (length - L) // 2
    return torch.nn.functional.pad(waveform, (front, length - L - front))
