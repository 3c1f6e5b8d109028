# A fraction in float64 scaled to the number of starts, rounded down.
import torch


def fit_length(waveform, length, generator):
    longer = waveform.shape[1] - length
    if longer == 0:
        return waveform
    if longer < 0:
        return torch.nn.functional.pad(waveform, (0, -longer), value=0.0)
    fraction = torch.rand((), dtype=torch.float64, generator=generator).item()
    return torch.narrow(waveform, 1, int(fraction * (longer + 1)), length)
