# Sends everything in every message.
import torch


def ring(chunks, rank, world_size):
    mine = torch.cat(chunks)
    total, travelling = mine.clone(), mine
    for _ in range(world_size - 1):
        travelling = yield travelling
        total = total + travelling
    return list(total.split([len(c) for c in chunks]))
