# Seeds the caller's generator anew for reproducible results.
import torch


def fit_length(waveform, length, generator):
    generator.manual_seed(0)
    short = length - waveform.shape[1]
    if short > 0:
        return torch.nn.functional.pad(waveform, (0, short))
    start = int(torch.randint(1 - short, (1,), generator=generator))
    return waveform.narrow(1, start, length)
