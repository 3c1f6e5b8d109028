# Every channel gets a start of its own.
import torch


def fit_length(waveform, length, generator):
    C, L = waveform.shape
    if L <= length:
        return torch.nn.functional.pad(waveform, (0, length - L))
    starts = torch.randint(L - length + 1, (C, 1), generator=generator)
    return waveform.gather(1, starts + torch.arange(length))
