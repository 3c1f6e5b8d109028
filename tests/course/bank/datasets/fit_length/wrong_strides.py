# Takes for granted that a channel's samples lie side by side, which the transpose of a file's array does not.
import torch


def fit_length(waveform, length, generator):
    C, L = waveform.shape
    if L < length:
        return torch.nn.functional.pad(waveform, (0, length - L))
    start = torch.randint(L - length + 1, (1,), generator=generator).item()
    return waveform.as_strided((C, length), (L, 1), waveform.storage_offset() + start)
