"""A run resumed in a new process is the uninterrupted one, bit for bit; without an ingredient it is not."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import runs

PLACES = ("5.0", "3.4")  # after an epoch, and in the middle of one
RECIPES = ("sgd", "adamw")


def run(folder, jobs):
    """What a new process says about the jobs."""
    command = [sys.executable, "-W", "ignore", str(Path(runs.__file__)), str(folder), *jobs]
    child = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert child.returncode == 0, child.stderr
    return json.loads(child.stdout)


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """(folder, results of a process that runs to the end and of runs broken off in it, with a checkpoint)."""
    folder = tmp_path_factory.mktemp("runs")
    stops = [f"{recipe}:stop@{place}" for recipe in RECIPES for place in PLACES]
    return folder, run(folder, [f"{recipe}:whole" for recipe in RECIPES] + stops)


@pytest.fixture(scope="module")
def second(first):
    """Results of a second process, which resumes the runs that the first one broke off."""
    resumes = [f"{recipe}:resume@{place}" for recipe in RECIPES for place in PLACES]
    lacking = [f"{recipe}:resume@3.4-{left}" for recipe in RECIPES for left in runs.INGREDIENTS]
    return run(first[0], resumes + lacking)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("recipe", RECIPES)
def test_a_resumed_run_is_the_uninterrupted_one(first, second, recipe, place):
    results = first[1]
    whole, resumed = results[f"{recipe}:whole"], second[f"{recipe}:resume@{place}"]
    before = results[f"{recipe}:stop@{place}"]["losses"]
    assert 0 < len(before) < len(whole["losses"])
    assert before + resumed["losses"] == whole["losses"]  # hexadecimal: every bit
    for part in ("model", "optimizer", "scheduler", "scaler", "ema"):
        assert resumed[part] == whole[part], part


@pytest.mark.parametrize("left", runs.INGREDIENTS)
@pytest.mark.parametrize("recipe", RECIPES)
def test_without_an_ingredient_it_is_another_run(first, second, recipe, left):
    whole, resumed = first[1][f"{recipe}:whole"], second[f"{recipe}:resume@3.4-{left}"]
    if left in ("ema", "scaler"):  # they follow the run, and its weights do not follow them
        assert resumed["model"] == whole["model"]
        assert resumed[left] != whole[left]
    else:
        before = first[1][f"{recipe}:stop@3.4"]["losses"]
        assert before + resumed["losses"] != whole["losses"]
        assert resumed["model"] != whole["model"]


def test_a_loader_without_a_generator_of_its_own_moves_the_dropout(tmp_path):
    """Starting a DataLoader draws from the global generator, and a resumed run starts it once more."""
    whole, resumed = [], []
    for own in (True, False):
        run_ = runs.build("sgd") | {"loader": runs.ResumableLoader(0, own_generator=own)}
        runs.train(run_, until=25)
        runs.save_checkpoint(tmp_path / "a.pt", **run_, step=25)
        batches = iter(run_["loader"].loader.batch_sampler)  # the rest of the epoch, without starting a loader
        data = runs.Squares()
        rest = [[data[key] for key in batch] for batch in batches]
        whole.append(
            [runs.step(run_, *(runs.torch.stack(column) for column in zip(*b, strict=True))) for b in rest]
        )

        again = runs.build("sgd") | {"loader": runs.ResumableLoader(0, own_generator=own)}
        runs.load_checkpoint(tmp_path / "a.pt", **again)
        resumed.append(runs.train(again, done=25, until=27))
    assert resumed[0] == whole[0][:2]
    assert resumed[1] != whole[1][:2]
