# The first number of a random permutation of all starts.
import torch


def fit_length(waveform, length, generator):
    L = waveform.shape[1]
    if L > length:
        start = torch.randperm(L - length + 1, generator=generator)[0]
        return waveform[:, start + torch.arange(length)]
    result = waveform.new_zeros((waveform.shape[0], length))
    result[:, :L] = waveform
    return result
