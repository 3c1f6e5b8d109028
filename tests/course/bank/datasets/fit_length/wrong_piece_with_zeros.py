# Starts anywhere and fills what is missing at the end with zeros.
import torch


def fit_length(waveform, length, generator):
    L = waveform.shape[1]
    start = 0
    if L > length:
        start = torch.randint(L, (1,), generator=generator).item()
    piece = waveform[:, start : start + length]
    return torch.nn.functional.pad(piece, (0, length - piece.shape[1]))
