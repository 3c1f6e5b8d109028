# Asks a real loader over a range.
from torch.utils.data import DataLoader


def batch_count(samples, batch_size, drop_last):
    return len(DataLoader(range(samples), batch_size=batch_size, drop_last=drop_last))
