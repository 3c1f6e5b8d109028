import json
import os
import pickle
import subprocess
import sys

import numpy
import pytest
import resource_limits
import runs
import torch
from torch.optim.swa_utils import AveragedModel

from course_utils.checkpoint import CheckpointError, keep, list_checkpoints, load_checkpoint, save_checkpoint
from course_utils.seed import set_seed


def net(size=3):
    return torch.nn.Sequential(torch.nn.Linear(2, size), torch.nn.BatchNorm1d(size))


def trained(recipe, steps=12):
    run = runs.build(recipe)
    runs.train(run, until=steps)
    return run


@pytest.mark.parametrize("recipe", ["sgd", "adamw"])
def test_every_part_comes_back_and_the_facts_with_it(tmp_path, recipe):
    run = trained(recipe)
    path = save_checkpoint(tmp_path / "new" / "a.pt", **run, epoch=1, step=12, metrics={"val_loss": 0.5})
    other = runs.build(recipe, seed=1)
    facts = load_checkpoint(path, **other)
    for part in ("model", "optimizer", "scheduler", "scaler", "ema", "loader"):
        assert runs.digest(other[part].state_dict()) == runs.digest(run[part].state_dict()), part
    assert (facts["epoch"], facts["step"], facts["metrics"]) == (1, 12, {"val_loss": 0.5})
    assert facts["versions"]["torch"] == torch.__version__
    assert facts["versions"]["numpy"] == numpy.__version__
    assert sorted(facts["loaded"]) == sorted(run)
    assert facts["not_loaded"] == facts["rng_notes"] == []


def test_a_model_alone_leaves_the_generators_alone_when_asked(tmp_path):
    run = trained("sgd")
    save_checkpoint(tmp_path / "a.pt", **run)
    set_seed(7)
    expected = torch.rand(3)
    set_seed(7)
    other = runs.build("sgd")["model"]
    set_seed(7)
    facts = load_checkpoint(tmp_path / "a.pt", model=other, rng=False)
    assert torch.equal(torch.rand(3), expected)
    assert facts["loaded"] == ["model"]
    assert facts["not_loaded"] == ["optimizer", "scheduler", "scaler", "ema", "loader"]


def test_an_average_of_ones_own_comes_back(tmp_path):
    class Average:
        """Only begins to hold tensors at its first update, and is no Module."""

        def __init__(self):
            self.shadow = {}

        def state_dict(self):
            return {"shadow": self.shadow, "decay": 0.9}

        def load_state_dict(self, state):
            self.shadow = state["shadow"]

    average = Average()
    average.shadow = {"weight": torch.rand(3)}
    save_checkpoint(tmp_path / "a.pt", model=net(), ema=average)
    fresh = Average()
    load_checkpoint(tmp_path / "a.pt", ema=fresh)
    assert torch.equal(fresh.shadow["weight"], average.shadow["weight"])
    other = Average()
    other.shadow = {"weight": torch.rand(4)}
    with pytest.raises(CheckpointError, match=r"'shadow.weight' has shape \(3,\) in the file and \(4,\) in yours"):
        load_checkpoint(tmp_path / "a.pt", ema=other)


def test_the_file_opens_with_torch_load_alone_and_every_tensor_is_on_the_cpu(tmp_path):
    run = trained("adamw")
    save_checkpoint(tmp_path / "a.pt", **run, epoch=2)
    for mmap in (False, True):
        content = torch.load(tmp_path / "a.pt", weights_only=True, mmap=mmap)
        assert content["epoch"] == 2
        assert runs.digest(content["model"]) == runs.digest(run["model"].state_dict())
        assert content["optimizer"]["state"][0]["exp_avg"].device.type == "cpu"


def test_numpys_numbers_in_metrics_become_pythons(tmp_path):
    metrics = {"accuracy": numpy.float64(0.5), "hits": numpy.int64(3), "losses": [numpy.float32(0.25)], "tag": "x"}
    save_checkpoint(tmp_path / "a.pt", model=net(), metrics=metrics, epoch=numpy.int64(4))
    (row,) = list_checkpoints(tmp_path)
    assert row["metrics"] == {"accuracy": 0.5, "hits": 3, "losses": [0.25], "tag": "x"}
    assert row["epoch"] == 4


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"metrics": {"matrix": numpy.zeros((2, 2))}}, r"metrics\['matrix'\] is a numpy.ndarray"),
        ({"metrics": {"loss": torch.tensor(0.5)}}, r"metrics.loss is a tensor"),
        ({"metrics": {1: object()}}, r"metrics\[1\] is a builtins.object"),
        ({"epoch": torch.tensor(1)}, "epoch is a tensor"),
        ({"epoch": "three"}, "epoch is 'three'"),
    ],
)
def test_facts_that_cannot_be_listed_are_refused_by_name(tmp_path, facts, words):
    with pytest.raises(CheckpointError, match=words):
        save_checkpoint(tmp_path / "a.pt", model=net(), **facts)
    assert list(tmp_path.iterdir()) == []


def test_a_state_with_objects_of_its_own_is_refused_by_name(tmp_path):
    class Odd:
        def state_dict(self):
            return {"inner": [1, {2: Odd}]}

    with pytest.raises(CheckpointError, match=r"Nothing was saved: loader\['inner'\]\[1\]\[2\] is a builtins.type"):
        save_checkpoint(tmp_path / "a.pt", model=net(), loader=Odd())
    assert list(tmp_path.iterdir()) == []


def test_a_schedulers_function_is_not_saved_and_its_place_is(tmp_path):
    model = net()
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 0.5**epoch)
    for _ in range(3):
        optimizer.step()
        scheduler.step()
    save_checkpoint(tmp_path / "a.pt", model=model, optimizer=optimizer, scheduler=scheduler)
    other = torch.optim.SGD(net().parameters(), lr=1.0)
    again = torch.optim.lr_scheduler.LambdaLR(other, lambda epoch: 0.5**epoch)
    load_checkpoint(tmp_path / "a.pt", optimizer=other, scheduler=again)
    assert again.get_last_lr() == [0.125]
    other.step()
    again.step()
    assert other.param_groups[0]["lr"] == 0.0625


@pytest.mark.parametrize("name", ["a", "a.bin", "a.pt.gz"])
def test_another_ending_is_refused(tmp_path, name):
    with pytest.raises(CheckpointError, match=r"expected '\.pt'"):
        save_checkpoint(tmp_path / name, model=net())


def test_another_machines_generators_are_said_in_a_warning_and_in_the_facts(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "course_utils.checkpoints.rng._devices", lambda: ("cuda", [torch.zeros(16, dtype=torch.uint8)] * 2)
    )
    save_checkpoint(tmp_path / "a.pt", model=net())
    monkeypatch.setattr("course_utils.checkpoints.rng._devices", lambda: (None, []))
    with pytest.warns(UserWarning, match="saved with 2 × cuda, here none") as record:
        facts = load_checkpoint(tmp_path / "a.pt", model=net())
    assert facts["rng_notes"] == [str(record[0].message)]
    assert record[0].filename == __file__


# Listing and keeping


def a_run(folder, losses):
    """Checkpoints of as many epochs, with these validation losses."""
    for epoch, loss in enumerate(losses):
        save_checkpoint(folder / f"e{epoch}.pt", model=net(), epoch=epoch, step=10 * epoch, metrics={"loss": loss})


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def flip(path, *, at):
    data = bytearray(path.read_bytes())
    data[at] ^= 4
    path.write_bytes(data)


def test_a_listing_reads_no_tensor(tmp_path, monkeypatch):
    run = trained("sgd")
    for epoch in (10, 9, 11):
        save_checkpoint(tmp_path / f"e{epoch}.pt", **run, epoch=epoch, step=epoch * 7, metrics={"loss": 1 / epoch})
    monkeypatch.setattr(torch, "load", lambda *_, **__: pytest.fail("a tensor was read"))
    rows = list_checkpoints(tmp_path)
    assert [row["path"].name for row in rows] == ["e9.pt", "e10.pt", "e11.pt"]
    assert [row["step"] for row in rows] == [63, 70, 77]
    assert rows[0]["metrics"] == {"loss": 1 / 9}
    assert rows[0]["bytes"] == (tmp_path / "e9.pt").stat().st_size
    assert rows[0]["holds"] == ["model", "optimizer", "scheduler", "scaler", "ema", "loader"]
    assert rows[0]["versions"]["torch"] == torch.__version__
    assert all(row["problem"] is None for row in rows)


def test_a_damaged_or_foreign_file_has_a_row_that_says_so(tmp_path):
    a_run(tmp_path, [0.3, 0.2])
    (tmp_path / "e0.pt").write_bytes((tmp_path / "e0.pt").read_bytes()[:3000])
    torch.save(net().state_dict(), tmp_path / "weights.pt")
    (tmp_path / "notes.txt").write_text("not listed", encoding="utf-8")
    (tmp_path / "folder.pt").mkdir()
    rows = {row["path"].name: row for row in list_checkpoints(tmp_path)}
    assert list(rows) == ["e1.pt", "e0.pt", "folder.pt", "weights.pt"]
    assert rows["e1.pt"]["problem"] is None
    assert "is cut off or damaged" in rows["e0.pt"]["problem"]
    assert "is a folder" in rows["folder.pt"]["problem"]
    assert "is a bare state_dict (7 tensors" in rows["weights.pt"]["problem"]
    assert rows["e0.pt"]["epoch"] is None


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(CheckpointError, match="There is no folder"):
        list_checkpoints(tmp_path / "no")


@pytest.mark.parametrize(
    ("options", "left"),
    [
        ({"last": 2}, ["e3.pt", "e4.pt"]),
        ({"last": 1, "best": "loss"}, ["e1.pt", "e4.pt"]),
        ({"last": 1, "best": "loss", "mode": "max"}, ["e2.pt", "e4.pt"]),
        ({"last": 9}, ["e0.pt", "e1.pt", "e2.pt", "e3.pt", "e4.pt"]),
    ],
)
def test_the_last_and_the_best_stay(tmp_path, options, left):
    a_run(tmp_path, [0.5, 0.1, 0.9, float("nan"), 0.4])
    everything = names(tmp_path)
    gone = keep(tmp_path, **options)
    assert names(tmp_path) == left
    assert sorted(path.name for path in gone) == sorted(set(everything) - set(left))


def test_of_equals_the_earliest_is_the_best(tmp_path):
    a_run(tmp_path, [0.5, 0.2, 0.2, 0.7])
    keep(tmp_path, last=1, best="loss")
    assert names(tmp_path) == ["e1.pt", "e3.pt"]


def test_a_damaged_checkpoint_does_not_count_and_is_not_deleted(tmp_path):
    """The bit is flipped where a listing does not look."""
    a_run(tmp_path, [0.5, 0.3, 0.1])
    flip(tmp_path / "e2.pt", at=2000)
    assert list_checkpoints(tmp_path)[2]["problem"] is None
    keep(tmp_path, last=1, best="loss")
    assert names(tmp_path) == ["e1.pt", "e2.pt"]
    load_checkpoint(tmp_path / "e1.pt", model=net())


def test_when_none_loads_none_is_deleted(tmp_path):
    a_run(tmp_path, [0.5, 0.3])
    for name in names(tmp_path):
        flip(tmp_path / name, at=2000)
    assert keep(tmp_path, last=1) == []
    assert names(tmp_path) == ["e0.pt", "e1.pt"]


def test_files_that_are_no_checkpoints_are_not_deleted(tmp_path):
    a_run(tmp_path, [0.5, 0.3])
    torch.save(net().state_dict(), tmp_path / "weights.pt")
    (tmp_path / "half.pt").write_bytes(b"PK\x03\x04")
    keep(tmp_path, last=1)
    assert names(tmp_path) == ["e1.pt", "half.pt", "weights.pt"]


def test_a_metric_that_no_checkpoint_has_deletes_nothing(tmp_path):
    a_run(tmp_path, [0.5, 0.3])
    with pytest.raises(CheckpointError, match=r"metric 'accuracy'; the latest has \['loss'\]. Nothing was deleted"):
        keep(tmp_path, last=1, best="accuracy")
    assert names(tmp_path) == ["e0.pt", "e1.pt"]


@pytest.mark.parametrize("options", [{"last": 0}, {"last": 1, "mode": "lowest"}])
def test_options_that_mean_nothing_are_refused(tmp_path, options):
    with pytest.raises(ValueError, match="expected at least 1"):
        keep(tmp_path, **options)


# Other people's files


class Malicious:
    """Harmless: its pickle writes a marker file when it is opened."""

    def __init__(self, marker):
        self.marker = marker

    def __reduce__(self):
        return (os.mkdir, (str(self.marker),))


@pytest.mark.parametrize("bare", [False, True])
def test_a_malicious_checkpoint_runs_when_unpickled_and_is_refused_here(tmp_path, bare):
    path, marker = tmp_path / "evil.pt", tmp_path / "marker"
    content = {"model": net().state_dict(), "more": Malicious(marker)}
    if bare:
        path.write_bytes(pickle.dumps(content))
    else:
        torch.save(content, path)
    with pytest.raises(CheckpointError, match=r"was refused: opening it would call \S*mkdir"):
        load_checkpoint(path, model=net())
    assert "was refused" in list_checkpoints(tmp_path)[0]["problem"]
    assert not marker.exists()
    if bare:
        pickle.loads(path.read_bytes())
    else:
        torch.load(path, weights_only=False)
    assert marker.is_dir(), "the harm is real: plain unpickling ran it"


def test_a_checkpoint_from_a_gpu_is_described_and_opens_with_map_location(project):
    path = project / "data" / "samples" / "cuda_checkpoint" / "epoch_3.pt"
    with pytest.raises(CheckpointError, match=r"is a dict with the keys model, optimizer, epoch of torch.save"):
        load_checkpoint(path, model=torch.nn.Linear(4, 3))
    content = torch.load(path, weights_only=True, map_location="cpu")
    assert content["optimizer"]["state"][0]["momentum_buffer"].device.type == "cpu"
    torch.nn.Linear(4, 3).load_state_dict(content["model"])
    if not torch.cuda.is_available():
        with pytest.raises(RuntimeError, match=r"Attempting to deserialize object on a CUDA device"):
            torch.load(path, weights_only=True)


def test_the_sample_says_cuda_and_its_program_makes_it_again(project, tmp_path):
    script = project / "tools" / "make_cuda_sample.py"
    subprocess.run([sys.executable, script, tmp_path / "again.pt"], check=True, capture_output=True, timeout=120)
    sample = project / "data" / "samples" / "cuda_checkpoint" / "epoch_3.pt"
    for path in (sample, tmp_path / "again.pt"):
        where = []

        def note(storage, tag, where=where):
            where.append(tag)
            return storage

        torch.load(path, weights_only=True, map_location=note)
        assert where == ["cuda:0"] * 4
    old, new = (torch.load(p, weights_only=True, map_location="cpu") for p in (sample, tmp_path / "again.pt"))
    assert runs.digest(old["model"]) == runs.digest(new["model"])


# Saves that do not end


@pytest.fixture(scope="module")
def kills(project):
    """{how: what scripts/kill_saves.py counted}; both at once, as most of the time is spent waiting for a disk."""
    trials = "100" if hasattr(os, "fork") else "8"  # without fork each child imports torch anew, for seconds
    command = [sys.executable, project / "scripts" / "kill_saves.py", "--trials", trials, "--megabytes", "2"]
    children = {
        how: subprocess.Popen([*command, "--how", how], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for how in ("atomic", "naive")
    }
    try:
        outputs = {how: child.communicate(timeout=300) for how, child in children.items()}
    finally:
        for child in children.values():
            child.kill()
    for how, child in children.items():
        assert child.returncode == 0, outputs[how][1]
    return {how: json.loads(out) | {"asked": int(trials)} for how, (out, _) in outputs.items()}


def test_killed_a_hundred_times_the_last_checkpoint_always_loads(kills):
    counted = kills["atomic"]
    assert counted["trials"] == counted["asked"]
    assert counted["lost"] == 0, counted
    assert counted["stale"] == 0, "a later save removes what a killed one left"
    assert counted["inside"] >= counted["trials"] / 5, f"too few kills fell into a save: {counted}"


def test_the_naive_save_under_the_same_treatment_loses_files(kills):
    assert kills["naive"]["lost"] > 0, kills["naive"]


@pytest.mark.parametrize("limit", resource_limits.LIMITS)
def test_a_full_disk_leaves_the_old_checkpoint_and_says_so(tmp_path, limit):
    with limit(tmp_path / "disk", megabytes=1) as folder:
        path = save_checkpoint(folder / "a.pt", model=torch.nn.Linear(100, 100), epoch=1)
        old = path.read_bytes()
        with pytest.raises(CheckpointError) as caught:
            save_checkpoint(path, model=torch.nn.Linear(1000, 1000), epoch=2)
        assert "the disk is full or a limit reached" in str(caught.value)
        assert "the older a.pt is untouched" in str(caught.value)
        assert "\n" not in str(caught.value)
        with pytest.raises(CheckpointError, match="no file was left behind"):
            save_checkpoint(folder / "b.pt", model=torch.nn.Linear(1000, 1000))
        assert names(folder) == ["a.pt"], "the temporary file is gone"
        assert path.read_bytes() == old
        assert load_checkpoint(path, model=torch.nn.Linear(100, 100))["epoch"] == 1
        save_checkpoint(path, model=torch.nn.Linear(10, 10), epoch=3)


def test_a_folder_that_may_not_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(CheckpointError, match=r"Could not save .* no file was left behind"):
        save_checkpoint(tmp_path / "file" / "a.pt", model=net())


def test_averaging_keeps_its_count(tmp_path):
    model = net()
    average = AveragedModel(model)
    for _ in range(3):
        average.update_parameters(model)
    save_checkpoint(tmp_path / "a.pt", model=model, ema=average)
    fresh = AveragedModel(net())
    load_checkpoint(tmp_path / "a.pt", ema=fresh)
    assert fresh.n_averaged.item() == 3
