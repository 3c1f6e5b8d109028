# Fills a short sound by repeating it.
import torch


def fit_length(waveform, length, generator):
    L = waveform.shape[1]
    if L < length:
        return waveform.repeat(1, -(-length // L))[:, :length]
    start = torch.randint(L - length + 1, (1,), generator=generator).item()
    return waveform[:, start : start + length]
