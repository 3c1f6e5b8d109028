# Lays the sound into float32 zeros, whatever its dtype.
import torch


def fit_length(waveform, length, generator):
    L = waveform.shape[1]
    start = 0
    if L > length:
        start = torch.randint(0, L - length + 1, (1,), generator=generator).item()
    piece = waveform[:, start : start + length]
    result = torch.zeros(waveform.shape[0], length)
    result[:, : piece.shape[1]] = piece
    return result
