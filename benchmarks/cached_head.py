"""A linear head on features of EfficientNet-Lite0 that are computed once: see benchmarks/finetune.py.

    python benchmarks/cached_head.py '{"way": "cached_head", "file": "pictures.pt", "size": 96, "seeds": [0],
                                    "held_out": false}'

`cached_head` is trained as the way `frozen` is, on the same averages. `cached_288` sees averages and maxima, the
mean over a picture and its mirror image, and its head is solved for, with the penalty that five folds of the
training pictures choose. Prints one line of JSON.
"""

import json
import sys
import time

import psutil
import torch
from finetune_way import BATCH_SIZE, CLASSES, WAYS, center, hold_out, peak_bytes, pretrained, scale
from torch import nn

from course_utils.seed import set_seed

PENALTIES = (0.03, 0.1, 0.3, 1.0, 3.0)  # times half the squared weights


@torch.inference_mode()
def features(model, images, *, largest=False):
    """What the head sees (2, N, C), of the pictures and of their mirror images; with `largest` the maxima too."""
    views = []
    for view in (images, images.flip(3)):
        maps = [model.forward_features(scale(batch)) for batch in view.split(16)]
        pooled = [m.mean((2, 3)) for m in maps], [m.amax((2, 3)) / 4 for m in maps]  # of about the same size
        views.append(torch.cat([torch.cat(part) for part in pooled[: 1 + largest]], 1))
    return torch.stack(views).clone()


def train_head(inputs, targets, *, seed, epochs=60):
    """A linear head on features (2, N, C), trained as `frozen` is; each epoch sees one of the two views."""
    set_seed(seed)
    head, count = nn.Linear(inputs.shape[-1], len(CLASSES)), len(targets) // BATCH_SIZE
    optimizer = torch.optim.SGD(head.parameters(), lr=WAYS["frozen"].lr, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, WAYS["frozen"].lr, total_steps=epochs * count)
    for _ in range(epochs):
        for rows in torch.randperm(len(targets))[: count * BATCH_SIZE].split(BATCH_SIZE):
            loss = nn.functional.cross_entropy(head(inputs[torch.randint(2, rows.shape), rows]), targets[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            scheduler.step()
    return head


def solve_head(inputs, targets, *, penalty):
    """The linear head (N, C) with the least loss plus penalty: one solution, whatever the seed."""
    head = nn.Linear(inputs.shape[1], len(CLASSES))
    nn.init.zeros_(head.weight), nn.init.zeros_(head.bias)
    optimizer = torch.optim.LBFGS(head.parameters(), max_iter=200, line_search_fn="strong_wolfe")

    def closure():
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(head(inputs), targets) + penalty / 2 * head.weight.square().sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    return head


def choose_penalty(inputs, targets, *, seed, folds=5):
    """The penalty with the smallest loss on held-out folds of the training features."""
    parts = torch.randperm(len(targets), generator=torch.Generator().manual_seed(seed)).chunk(folds)
    losses = dict.fromkeys(PENALTIES, 0.0)
    for i, out in enumerate(parts):
        rest = torch.cat([part for j, part in enumerate(parts) if j != i])
        for penalty in PENALTIES:
            head = solve_head(inputs[rest], targets[rest], penalty=penalty)
            with torch.inference_mode():
                losses[penalty] += nn.functional.cross_entropy(head(inputs[out]), targets[out]).item()
    return min(losses, key=losses.get)


@torch.inference_mode()
def accuracy(head, inputs, targets):
    """In percent."""
    return 100 * (head(inputs).argmax(1) == targets).float().mean().item()


def trained(inputs, data, val, *, seed):
    """(accuracy, None) of `cached_head`: it is asked about pictures as they are, like every other way."""
    head = train_head(inputs, data["train_targets"], seed=seed)
    return accuracy(head, val[0], data["val_targets"]), None


def solved(inputs, data, val, *, seed):
    """(accuracy, penalty) of `cached_288`."""
    inputs, val = inputs.mean(0), val.mean(0)
    mean = inputs.mean(0)
    std = (inputs - mean).square().mean().sqrt()
    inputs, val = (inputs - mean) / std, (val - mean) / std
    penalty = choose_penalty(inputs, data["train_targets"], seed=seed)
    head = solve_head(inputs, data["train_targets"], penalty=penalty)
    return accuracy(head, val, data["val_targets"]), penalty


def main():
    job = json.loads(sys.argv[1])
    large, data = job["way"] != "cached_head", torch.load(job["file"], weights_only=True)
    before, start = psutil.Process().memory_info().rss, time.perf_counter()
    model = pretrained().eval().to(memory_format=torch.channels_last)
    for split in {"train", "val"} & set(data):
        data[f"{split}_features"] = features(model, center(data[split], job["size"]), largest=large)
    result = {"features_seconds": time.perf_counter() - start, "accuracies": [], "penalties": []}
    start = time.perf_counter()
    for seed in job["seeds"]:
        part = hold_out(data, size=job["size"], seed=seed) if job["held_out"] else data
        found, penalty = (solved if large else trained)(
            part["train_features"], part, part["val_features"], seed=seed
        )
        result["accuracies"].append(found)
        result["penalties"].append(penalty)
    result["seconds"] = (time.perf_counter() - start) / len(job["seeds"])
    print(json.dumps(result | {"peak_mib": (peak_bytes() - before) / 2**20}))


if __name__ == "__main__":
    main()
