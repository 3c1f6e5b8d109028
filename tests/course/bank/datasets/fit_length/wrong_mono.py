# Keeps the first channel only.
import torch


def fit_length(waveform, length, generator):
    mono = waveform[:1]
    if mono.shape[1] < length:
        return torch.nn.functional.pad(mono, (0, length - mono.shape[1]))
    start = torch.randint(mono.shape[1] - length + 1, (1,), generator=generator).item()
    return mono[:, start : start + length]
