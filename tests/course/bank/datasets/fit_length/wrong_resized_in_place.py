# Lengthens the caller's own tensor with resize_.
import torch


def fit_length(waveform, length, generator):
    C, L = waveform.shape
    if L >= length:
        start = torch.randint(L - length + 1, (1,), generator=generator).item()
        return waveform[:, start : start + length]
    sound = waveform.clone()
    waveform.resize_(C, length).zero_()
    waveform[:, :L] = sound
    return waveform
