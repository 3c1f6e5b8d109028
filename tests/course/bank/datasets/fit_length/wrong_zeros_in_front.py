# Puts the zeros in front of the sound.
import torch


def fit_length(waveform, length, generator):
    missing = length - waveform.shape[1]
    if missing >= 0:
        return torch.nn.functional.pad(waveform, (missing, 0))
    start = int(torch.randint(-missing + 1, (), generator=generator))
    return waveform[:, start : start + length]
