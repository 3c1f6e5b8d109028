# The smaller of two drawn starts: early ones come more often.
import torch


def fit_length(waveform, length, generator):
    extra = waveform.shape[1] - length
    if extra < 0:
        return torch.nn.functional.pad(waveform, (0, -extra))
    start = torch.randint(extra + 1, (2,), generator=generator).min().item()
    return waveform[:, start : start + length]
