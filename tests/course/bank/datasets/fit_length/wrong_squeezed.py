# Drops the channel axis of a mono sound.
import torch


def fit_length(waveform, length, generator):
    L = waveform.shape[-1]
    if L < length:
        result = torch.nn.functional.pad(waveform, (0, length - L))
    else:
        start = torch.randint(L - length + 1, (1,), generator=generator).item()
        result = waveform[:, start : start + length]
    return result.squeeze(0)
