# Equal weights for all starts, channel after channel in a loop.
import torch


def fit_length(waveform, length, generator):
    starts = max(1, waveform.shape[1] - length + 1)
    start = torch.multinomial(torch.ones(starts), 1, generator=generator).item()
    rows = []
    for channel in waveform:
        row = channel[start : start + length]
        rows.append(torch.cat((row, row.new_zeros(length - len(row)))))
    return torch.stack(rows)
