# Blanks out everything but the piece and keeps the zeros around it.
import torch


def fit_length(waveform, length, generator):
    L = waveform.shape[1]
    if L <= length:
        return torch.nn.functional.pad(waveform, (0, length - L))
    start = torch.randint(L - length + 1, (1,), generator=generator).item()
    mask = torch.zeros(L, dtype=waveform.dtype)
    mask[start : start + length] = 1
    return waveform * mask
