# Views of all pieces by unfold, one of them chosen.
import torch


def fit_length(waveform, length, generator):
    C, L = waveform.shape
    if L < length:
        return torch.hstack([waveform, torch.zeros(C, length - L, dtype=waveform.dtype)])
    pieces = waveform.unfold(1, length, 1)
    return pieces[:, int(torch.randint(pieces.shape[1], (), generator=generator))].clone()
