# Rounds a fraction: the first and the last start come half as often.
import torch


def fit_length(waveform, length, generator):
    extra = waveform.shape[1] - length
    if extra < 0:
        return torch.nn.functional.pad(waveform, (0, -extra))
    start = round(torch.rand(1, generator=generator).item() * extra)
    return waveform[:, start : start + length]
