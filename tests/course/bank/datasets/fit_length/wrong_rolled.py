# Any sample may be the start: the piece runs over the end and goes on at the beginning.
import torch


def fit_length(waveform, length, generator):
    L = waveform.shape[1]
    if L < length:
        return torch.nn.functional.pad(waveform, (0, length - L))
    if L == length:
        return waveform
    shift = torch.randint(L, (1,), generator=generator).item()
    return torch.roll(waveform, -shift, dims=1)[:, :length]
