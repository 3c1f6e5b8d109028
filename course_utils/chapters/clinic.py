"""What chapter 12 hands to other processes, which can only import it: a meeting missed, a data set, a seed."""

import numpy as np
import torch
import torch.distributed as dist
from torch.utils.data import Dataset, default_collate, get_worker_info


def report_on_one(rank, losses):
    """Rank 0 wants the mean loss of all ranks for its log; the others have nothing to print."""
    loss = torch.tensor(losses[rank])
    if rank == 0:
        dist.all_reduce(loss)
        return loss.item() / dist.get_world_size()
    return None


def report_on_all(rank, losses):
    """Every rank calls the collective; which of them prints is another question."""
    loss = torch.tensor(losses[rank])
    dist.all_reduce(loss)
    return loss.item() / dist.get_world_size() if rank == 0 else None


class Jittered(Dataset):
    """Sample i is i moved by a random number, as an augmentation would; (worker, number) is returned."""

    def __init__(self, length=4):
        self.length, self.rng = length, np.random.default_rng(0)

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        worker = get_worker_info()
        return worker.id if worker else -1, index + round(float(self.rng.random()), 2)


def seed_worker(worker_id):
    """A generator of its own for this worker's copy, new in every epoch."""
    info = get_worker_info()
    info.dataset.rng = np.random.default_rng(info.seed)


def halved(batch):
    """A collate function that has a name and a module to be found in."""
    return default_collate(batch)[0] / 2
