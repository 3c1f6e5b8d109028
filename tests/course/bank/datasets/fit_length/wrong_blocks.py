# Chooses one of the blocks 0, length, 2 · length, …: other starts never come.
import torch


def fit_length(waveform, length, generator):
    L = waveform.shape[1]
    if L < length:
        return torch.nn.functional.pad(waveform, (0, length - L))
    block = torch.randint(L // length, (1,), generator=generator).item()
    return waveform[:, block * length : (block + 1) * length]
