"""Data sets to watch worker processes with; a worker imports what it is handed, so they stand in a module."""

import time

import torch
from torch.utils.data import Dataset, get_worker_info


class Waiting(Dataset):
    """Sample `i` is the number `i` after `seconds` of waiting, as for a slow disk or a network."""

    def __init__(self, length: int, seconds: float) -> None:
        self.length, self.seconds = length, seconds

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> int:
        time.sleep(self.seconds)
        return index


class Draws(Dataset):
    """Sample `i` is (number of the worker or -1, its seed, a random whole number below 1000)."""

    def __init__(self, length: int) -> None:
        self.length = length

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> tuple[int, int, int]:
        worker = get_worker_info()
        number = -1 if worker is None else worker.id
        return number, torch.initial_seed(), int(torch.randint(1000, ()))
