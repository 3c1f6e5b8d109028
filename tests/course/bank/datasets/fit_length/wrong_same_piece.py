# A new generator with the same seed each time: always the same piece.
import torch


def fit_length(waveform, length, generator):
    if waveform.shape[1] < length:
        return torch.nn.functional.pad(waveform, (0, length - waveform.shape[1]))
    fresh = torch.Generator().manual_seed(generator.initial_seed())
    start = torch.randint(waveform.shape[1] - length + 1, (1,), generator=fresh).item()
    return waveform[:, start : start + length]
