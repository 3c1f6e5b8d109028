"""Programs whose workers fail: `python workers.py` runs them all and prints {name: traceback} as JSON.

The workers import this file, so it needs a process of its own.
"""

import json
import os
import sys
import traceback

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Indexed(Dataset):
    """Four samples; what one is, the class says."""

    def __len__(self):
        return 4


class Lines(Indexed):
    def __getitem__(self, index):
        return torch.zeros(2 + index)


class Table(Indexed):
    def __getitem__(self, index):
        row = {"picture": index}
        return row["label"]


class Deadly(Indexed):
    def __getitem__(self, index):
        os._exit(3)


class Net(Indexed):
    layer = nn.Linear(3, 2)

    def __getitem__(self, index):
        return self.layer(torch.zeros(4)).detach()


def read(data, **options):
    for _batch in DataLoader(data, batch_size=2, num_workers=1, multiprocessing_context="spawn", **options):
        pass


def collate_sizes__in_a_worker():
    read(Lines())


def mm_shapes__in_a_worker():
    read(Net())


def worker_died__exit():
    read(Deadly())


def wrapped_worker__key_in_a_worker():
    read(Table())


MAKERS = (collate_sizes__in_a_worker, mm_shapes__in_a_worker, worker_died__exit, wrapped_worker__key_in_a_worker)


def main():
    found = {}
    for maker in MAKERS:
        try:
            maker()
        except Exception:  # noqa: BLE001 - whatever it is, it is what is wanted
            found[maker.__name__] = traceback.format_exc()
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
