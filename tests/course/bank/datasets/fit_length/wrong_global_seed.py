# Seeds torch's global generator from the given one and draws with that: other draws of the program change.
import torch


def fit_length(waveform, length, generator):
    L = waveform.shape[1]
    if L < length:
        return torch.nn.functional.pad(waveform, (0, length - L))
    torch.manual_seed(int(torch.randint(2**31, (), generator=generator)))
    start = int(torch.randint(L - length + 1, ()))
    return waveform[:, start : start + length]
