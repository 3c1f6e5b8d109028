"""A small training run that can be broken off and taken up again, for the tests of checkpoints.

`python tests/helpers/runs.py FOLDER JOB...` runs jobs in this process, one after the other, and prints their
results as one line of JSON. A job is RECIPE:ACTION: `sgd:whole`, `adamw:stop@5.0` (after 5 epochs),
`adamw:stop@3.4` (after 3 epochs and 4 batches) or `sgd:resume@3.4`; `sgd:resume@3.4-scheduler` leaves an
ingredient out.
"""

import hashlib
import json
import random
import sys
import warnings
from pathlib import Path

import numpy
import torch
from torch.optim.swa_utils import AveragedModel
from torch.utils.data import DataLoader, Dataset

from course_utils.checkpoint import load_checkpoint, save_checkpoint
from course_utils.seed import set_seed

EPOCHS, BATCHES, BATCH_SIZE, SIZE = 7, 7, 8, 50
INGREDIENTS = ("scheduler", "rng", "optimizer", "loader", "scaler", "ema")


class Squares(Dataset):
    """Points in the plane and their squared length; sample (index, seed) carries noise that depends on the seed."""

    def __init__(self):
        self.points = torch.rand(SIZE, 2, generator=torch.Generator().manual_seed(0))

    def __len__(self):
        return SIZE

    def __getitem__(self, key):
        index, seed = key if isinstance(key, tuple) else (key, key)
        noise = torch.randn(2, generator=torch.Generator().manual_seed(seed)) / 100
        return self.points[index] + noise, self.points[index].pow(2).sum()[None]


class Order:
    """Chapter 03's: batches of (index, seed), shuffled anew in each epoch; `done` of them are behind us."""

    def __init__(self, seed):
        self.seed, self.epoch, self.done = seed, 0, 0

    def __iter__(self):
        chance = torch.Generator().manual_seed(1_000_003 * self.seed + self.epoch)
        order = torch.randperm(SIZE, generator=chance).tolist()
        seeds = torch.randint(2**62, (SIZE,), generator=chance).tolist()
        pairs = list(zip(order, seeds, strict=True))
        for start in range(self.done * BATCH_SIZE, SIZE, BATCH_SIZE):
            yield pairs[start : start + BATCH_SIZE]


class ResumableLoader:
    """Chapter 03's, with one thing more: a generator of its own.

    A DataLoader draws a number each time it is started, from the global generator unless it has its own; a resumed
    run starts it once more than the uninterrupted one, and its dropout would go on one number too far.
    """

    def __init__(self, seed, *, own_generator=True):
        self.order = Order(seed)
        chance = torch.Generator().manual_seed(seed) if own_generator else None
        self.loader = DataLoader(Squares(), batch_sampler=self.order, generator=chance)

    def __iter__(self):
        for batch in self.loader:
            self.order.done += 1
            yield batch
        self.order.epoch, self.order.done = self.order.epoch + 1, 0

    def state_dict(self):
        return {"epoch": self.order.epoch, "done": self.order.done}

    def load_state_dict(self, state):
        self.order.epoch, self.order.done = state["epoch"], state["done"]


class StatefulLoader:
    """torchdata's loader over the same data, with its generator's state.

    On its own, torchdata 0.11 goes on with the right batches to the end of the epoch; the epochs after it come in
    another order, as starting the resumed iterator drew from the generator once more.
    """

    def __init__(self, seed):
        self.chance = torch.Generator().manual_seed(seed)
        self.loader = bare_stateful_loader(self.chance)
        self.inside, self.loaded = False, None

    def __iter__(self):
        batches = iter(self.loader)
        if self.loaded is not None:
            self.chance.set_state(self.loaded["generator"])
        self.inside, self.loaded = True, None
        yield from batches
        self.inside = False

    def state_dict(self):
        if self.loaded is not None:  # saved again before it went on
            return self.loaded
        state = self.loader.state_dict() if self.inside else None
        return {"loader": state, "generator": self.chance.get_state()}

    def load_state_dict(self, state):
        self.chance.set_state(state["generator"])
        if state["loader"] is not None:
            self.loader.load_state_dict(state["loader"])
            self.loaded = state


def bare_stateful_loader(chance):
    """torchdata's loader; `chance` is the generator of its order."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "'set_vital' is deprecated")  # torchdata 0.11 calls it; torch 2.14 warns
        from torchdata.stateful_dataloader import StatefulDataLoader

        return StatefulDataLoader(Squares(), batch_size=BATCH_SIZE, shuffle=True, generator=chance)


def build(recipe, *, seed=0):
    """{part: object} of a fresh run: "sgd" (StepLR, chapter 03's loader) or "adamw" (OneCycleLR, torchdata's)."""
    set_seed(seed)
    model = torch.nn.Sequential(
        torch.nn.Linear(2, 16),
        torch.nn.BatchNorm1d(16),
        torch.nn.Dropout(0.2),
        torch.nn.ReLU(),
        torch.nn.Linear(16, 1),
    )
    if recipe == "sgd":
        optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=4 * BATCHES, gamma=0.3)
        loader = ResumableLoader(0)  # its seed is no state: it stands in the program
    else:
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
        scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.05, total_steps=EPOCHS * BATCHES)
        loader = StatefulLoader(seed)
    scaler = torch.amp.GradScaler("cpu", growth_interval=5)
    ema = AveragedModel(model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.9))
    return {
        "model": model,
        "optimizer": optimizer,
        "scheduler": scheduler,
        "scaler": scaler,
        "ema": ema,
        "loader": loader,
    }


def train(run, *, done=0, until=EPOCHS * BATCHES):
    """Steps from `done` to `until`, epoch after epoch of the loader; returns the losses, one a step."""
    losses = []
    while True:
        for inputs, targets in run["loader"]:
            losses.append(step(run, inputs, targets))
            if done + len(losses) == until and (until % BATCHES or until == EPOCHS * BATCHES):
                return losses
        if done + len(losses) == until:  # at the end of an epoch only after the loader has noticed it
            return losses


def step(run, inputs, targets):
    """One step that draws from each of the generators: Python's, NumPy's, torch's."""
    inputs = inputs * (1 + random.random() / 100) + numpy.random.rand() / 100
    loss = torch.nn.functional.mse_loss(run["model"](inputs), targets)
    run["optimizer"].zero_grad()
    run["scaler"].scale(loss).backward()
    run["scaler"].step(run["optimizer"])
    run["scaler"].update()
    run["scheduler"].step()
    run["ema"].update_parameters(run["model"])
    return loss.item()


def digest(value):
    """A SHA-256 over a nested state: every bit of every tensor, the numbers by their exact text."""
    sha = hashlib.sha256()

    def add(value):
        if isinstance(value, torch.Tensor):
            sha.update(f"{value.dtype} {tuple(value.shape)}".encode())
            sha.update(value.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes())
        elif isinstance(value, dict):
            for key in value:
                sha.update(repr(key).encode())
                add(value[key])
        elif isinstance(value, (list, tuple)):
            sha.update(f"{type(value).__name__} {len(value)}".encode())
            for item in value:
                add(item)
        else:
            sha.update(repr(value).encode())

    add(value)
    return sha.hexdigest()


def result(run, losses):
    parts = ("model", "optimizer", "scheduler", "scaler", "ema")
    return {"losses": [loss.hex() for loss in losses]} | {part: digest(run[part].state_dict()) for part in parts}


def do(folder, job):
    recipe, action = job.split(":")
    action, _, place = action.partition("@")
    place, _, without = place.partition("-")
    run = build(recipe, seed=0 if action != "resume" else 1)  # what is resumed must come from the file
    if action == "whole":
        return result(run, train(run))
    epoch, batch = map(int, place.split("."))
    done = epoch * BATCHES + batch
    path = folder / f"{recipe}_{place}.pt"
    if action == "stop":
        losses = train(run, until=done)
        save_checkpoint(path, **run, epoch=epoch, step=done, metrics={"loss": losses[-1]})
        return result(run, losses)
    parts = {part: thing for part, thing in run.items() if part != without}
    facts = load_checkpoint(path, **parts, rng=without != "rng")
    return result(run, train(run, done=facts["step"]))


if __name__ == "__main__":
    print(json.dumps({job: do(Path(sys.argv[1]), job) for job in sys.argv[2:]}))
