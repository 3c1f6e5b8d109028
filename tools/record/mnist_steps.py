"""From a published MNIST recipe to benchmarks/mnist_record.py, one idea a step: what chapter 09 plots.

    python tools/record/mnist_steps.py [--seeds 5]        writes data/recorded/mnist_record.json

Each step is trained on the first 50,000 training pictures and scored on the other 10,000, as every choice of the
record was; the steps take turns, seed by seed. Seconds are medians, accuracies means over the seeds; the two
slowest recipes run once. Takes some ten minutes on two cores, on a machine that does nothing else.
"""

import argparse
import statistics
import sys

import torch
import torch.nn.functional as F
from torch import nn

from course_utils import PROJECT, recorded

sys.path.insert(0, str(PROJECT / "benchmarks"))
import mnist_record
import published_mnist

GOAL = mnist_record.GOAL_ACCURACY


class Wide(nn.Sequential):
    """train_mnist_fast's net with a BatchNorm before each ReLU."""

    def __init__(self):
        super().__init__(
            nn.Conv2d(1, 24, 5, bias=False), nn.MaxPool2d(2), nn.BatchNorm2d(24), nn.ReLU(),
            nn.Conv2d(24, 32, 3, bias=False), nn.MaxPool2d(2), nn.BatchNorm2d(32), nn.ReLU(),
            nn.Flatten(), nn.Linear(800, 256, bias=False), nn.BatchNorm1d(256), nn.ReLU(), nn.Linear(256, 10),
        )  # fmt: skip

    def prepare(self, images):
        return published_mnist.normalised(images)


class Squares(nn.Module):
    """The record's net by autograd: 2x2 squares of pixels as channels; its first layer trained, or fixed by PCA."""

    def __init__(self, pairs, *, fixed):
        super().__init__()
        self.own = mnist_record.Ours(pairs[:150], torch.float32)
        channels, hidden = mnist_record.CHANNELS, mnist_record.HIDDEN
        self.conv1 = nn.Conv2d(4, 2 * mnist_record.FILTERS, 3)
        self.norm1 = nn.Identity() if fixed else nn.BatchNorm2d(2 * mnist_record.FILTERS)
        if fixed:
            self.conv1.weight.data, self.conv1.bias.data = self.own.w1.clone(), self.own.b1.clone()
            self.conv1.requires_grad_(False)
        self.conv2, self.norm2 = nn.Conv2d(len(self.own.w1), channels, 3, bias=False), nn.BatchNorm2d(channels)
        self.linear1, self.norm3 = nn.Linear(25 * channels, hidden, bias=False), nn.BatchNorm1d(hidden)
        self.linear2 = nn.Linear(hidden, 10)
        self.to(memory_format=torch.channels_last)
        self.scale = 1 if fixed else 1 / 128

    def prepare(self, images):
        return self.own.pixels(images.view(torch.int16)) * self.scale

    def forward(self, x):
        x = F.relu(self.norm1(self.conv1(x)))
        x = F.relu(self.norm2(F.max_pool2d(self.conv2(x), 2)))
        return self.linear2(F.relu(self.norm3(self.linear1(x.flatten(1)))))


def by_autograd(make, *, pictures, batch_size, lr):
    """A recipe: `make(images)` a net with `prepare`; OneCycle, Adam, each picture seen once."""

    def train(images, targets):
        order = torch.randperm(len(images))[:pictures]
        images, targets = images.index_select(0, order), targets.index_select(0, order)
        model = make(images)
        parameters = [p for p in model.parameters() if p.requires_grad]
        optimizer = torch.optim.Adam(parameters, lr=lr, betas=(0.7, 0.9), fused=True)
        batches = list(zip(images.split(batch_size), targets.split(batch_size), strict=True))
        for step, (batch, wanted) in enumerate(batches):
            optimizer.param_groups[0]["lr"] = mnist_record.one_cycle(step, len(batches), lr)
            loss = F.cross_entropy(model(model.prepare(batch)), wanted, label_smoothing=mnist_record.SMOOTHING)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        return lambda images: model.eval()(model.prepare(images))

    return train


def beginner(images, targets):
    """One epoch of the recipe that chapter 05 begins with: plain SGD, rate 1e-4, batch 64."""
    inputs = published_mnist.normalised(images)
    model = nn.Sequential(
        nn.Conv2d(1, 20, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(20, 50, 5), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(800, 500), nn.ReLU(), nn.Linear(500, 10),
    )  # fmt: skip
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
    order = torch.randperm(len(images))
    for batch in order.split(64):
        optimizer.zero_grad()
        F.cross_entropy(model(inputs[batch]), targets[batch]).backward()
        optimizer.step()
    return lambda images: model(published_mnist.normalised(images))


def steps():
    """(name, change, recipe) in order; the last is the record."""
    few = {"pictures": mnist_record.PICTURES, "batch_size": mnist_record.BATCH, "lr": mnist_record.LR}
    pairs = lambda images: images[:150].view(torch.int16)  # noqa: E731
    found = [
        ("train_mnist_fast", "one tensor, Adam, OneCycle: one epoch", published_mnist.train_mnist_fast),
        (
            "BatchNorm",
            "BatchNorm before each ReLU, smoothed labels, fused Adam",
            by_autograd(lambda images: Wide(), pictures=50_000, batch_size=256, lr=1e-2),
        ),
        (
            "fewer pictures",
            f"{mnist_record.PICTURES:,} of the pictures, batches of {mnist_record.BATCH}, three times the rate",
            by_autograd(lambda images: Wide(), **few),
        ),
        (
            "2×2 squares",
            "squares of pixels as channels: stride 2, no first pooling",
            by_autograd(lambda images: Squares(pairs(images), fixed=False), **few),
        ),
        (
            "fixed filters",
            "first layer from the patches' main directions, not trained",
            by_autograd(lambda images: Squares(pairs(images), fixed=True), **few),
        ),
        (
            "backward by hand",
            "no autograd, all parameters in one buffer",
            lambda *data: mnist_record.ours(*data, dtype=torch.float32),
        ),
    ]
    if mnist_record.HAS_BF16:
        half = lambda *data: mnist_record.ours(*data, dtype=torch.bfloat16)  # noqa: E731
        found.append(("bfloat16", "model and pictures in bfloat16", half))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5)
    seeds = parser.parse_args().seeds
    images, targets = mnist_record.read("train-images"), mnist_record.read("train-labels").long()
    train, (held, wanted) = (images[:50_000], targets[:50_000]), (images[50_000:], targets[50_000:])

    @torch.no_grad()
    def score(model):
        return 100 * float((torch.cat([model(x).argmax(1) for x in held.split(1000)]) == wanted).float().mean())

    rows = []
    model, seconds = mnist_record.timed(beginner, 0, *train)
    rows.append(("beginner's recipe", "SGD 1e-4, one epoch of ten", seconds, score(model), 1))
    rows.append(
        ("pytorch/examples", "Adadelta, DataLoader", *published_mnist.pytorch_examples(*train, score, goal=GOAL), 1)
    )
    todo = steps()
    found = {name: ([], []) for name, *_ in todo}
    for seed in range(-1, seeds):
        for name, _, recipe in todo:
            model, seconds = mnist_record.timed(recipe, max(seed, 0), *train)
            if seed >= 0:  # the first round warms up
                found[name][0].append(seconds)
                found[name][1].append(score(model))
    for name, change, _ in todo:
        rows.append((name, change, statistics.median(found[name][0]), statistics.mean(found[name][1]), seeds))
    keys = ("name", "change", "seconds", "accuracy", "seeds")
    figures = [dict(zip(keys, row, strict=True)) for row in rows]
    for row in figures:
        row |= {"seconds": round(row["seconds"], 3), "accuracy": round(row["accuracy"], 2)}
        row["reached_99"] = row["accuracy"] >= GOAL
        print(f"{row['name']:18} {row['seconds']:8.2f} s {row['accuracy']:6.2f} %  {row['change']}")
    what = "MNIST: seconds and held-out accuracy of each step, trained on 50,000 pictures, scored on 10,000 others."
    recorded.write("mnist_record", what=what, figures={"steps": figures, "threads": torch.get_num_threads()})


if __name__ == "__main__":
    main()
