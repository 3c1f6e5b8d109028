# Multiplies in float32, which is no longer exact for large parameters.
import torch


def training_bytes(parameters, bytes_each):
    total = torch.zeros(())
    for shape, trained in parameters:
        total += torch.tensor(shape, dtype=torch.float32).prod() * (4 if trained else 1)
    return int(total) * bytes_each
