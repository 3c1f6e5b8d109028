# Leaves out the last possible start.
import torch


def fit_length(waveform, length, generator):
    extra = waveform.shape[1] - length
    if extra <= 0:
        return torch.nn.functional.pad(waveform, (0, -extra))
    start = torch.randint(0, extra, (1,), generator=generator).item()
    return waveform[:, start : start + length]
