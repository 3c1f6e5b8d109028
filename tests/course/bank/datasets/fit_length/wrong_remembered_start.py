# Draws a start once and keeps it for the next sound of the same length.
import torch

known = {}


def fit_length(waveform, length, generator):
    L = waveform.shape[1]
    if L < length:
        return torch.nn.functional.pad(waveform, (0, length - L))
    if (L, length) not in known:
        known[L, length] = torch.randint(L - length + 1, (1,), generator=generator).item()
    start = known[L, length]
    return waveform[:, start : start + length]
