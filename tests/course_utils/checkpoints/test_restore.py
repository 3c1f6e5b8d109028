"""All or nothing: after a refused load every object and every generator is as it was, bit for bit."""

import copy
import re

import pytest
import runs
import torch
from torch.optim.swa_utils import AveragedModel

from course_utils.checkpoint import CheckpointError, load_checkpoint, save_checkpoint
from course_utils.checkpoints import file_format, rng

PARTS = ("model", "optimizer", "scheduler", "scaler", "ema", "loader")


class Fragile(runs.ResumableLoader):
    """Half-way through loading, it fails."""

    def load_state_dict(self, state):
        self.order.epoch = state["epoch"]
        if state["done"] != self.order.done:
            raise KeyError("done")


Fragile.__name__ = "ResumableLoader"


class Interrupted(runs.ResumableLoader):
    def load_state_dict(self, state):
        if state["done"] != self.order.done:
            raise KeyboardInterrupt
        super().load_state_dict(state)


Interrupted.__name__ = "ResumableLoader"


class Stubborn(torch.nn.Sequential):
    """A model that fails after its weights are loaded, as often as it is told to."""

    failures = 1

    def load_state_dict(self, state, strict=True, assign=False):
        super().load_state_dict(state, strict=strict, assign=assign)
        self.failures -= 1
        if self.failures >= 0:
            raise RuntimeError("not these")


def bits(run):
    """A digest for each part and for the generators' states."""
    return {part: runs.digest(run[part].state_dict()) for part in run} | {"rng": runs.digest(rng.capture())}


@pytest.fixture(scope="module", params=["sgd", "adamw"])
def saved(request, tmp_path_factory):
    """(recipe, path of its checkpoint after 12 steps)."""
    run = runs.build(request.param)
    runs.train(run, until=12)
    path = tmp_path_factory.mktemp("saved") / "a.pt"
    return request.param, save_checkpoint(path, **run, epoch=1, step=12)


@pytest.fixture
def run(saved):
    """Another run of the same recipe, three steps on, so that each part has a state to lose."""
    run = runs.build(saved[0], seed=1)
    runs.train(run, until=3)
    return run


def sized(run, size):
    """Puts a model of another size into a run, with its average."""
    layers = list(run["model"])
    layers[0], layers[1], layers[4] = torch.nn.Linear(2, size), torch.nn.BatchNorm1d(size), torch.nn.Linear(size, 1)
    run["model"] = torch.nn.Sequential(*layers)
    run["ema"] = AveragedModel(run["model"])


def another_size(run):
    sized(run, 8)


def another_size_of_the_average_only(run):
    run["ema"] = AveragedModel(torch.nn.Linear(2, 1))


def one_layer_more(run):
    run["model"].append(torch.nn.Linear(1, 1))


def one_layer_less(run):
    run["model"] = run["model"][:4]


def another_precision(run):
    run["model"].to(torch.bfloat16)


def inside_a_wrapper(run):
    run["model"] = torch.nn.ModuleDict({"module": run["model"]})


def not_yet_shaped(run):
    run["model"][0] = torch.nn.LazyLinear(16)


def another_optimizer(run):
    kind = torch.optim.AdamW if isinstance(run["optimizer"], torch.optim.SGD) else torch.optim.SGD
    run["optimizer"] = kind(run["model"].parameters(), lr=0.1)


def another_group(run):
    parameters = list(run["model"].parameters())
    groups = [{"params": parameters[:2]}, {"params": parameters[2:]}]
    run["optimizer"] = type(run["optimizer"])(groups, lr=0.1)


def another_order(run):
    run["optimizer"] = type(run["optimizer"])(list(run["model"].parameters())[::-1], lr=0.1)


def another_scheduler(run):
    run["scheduler"] = torch.optim.lr_scheduler.ExponentialLR(run["optimizer"], 0.9)


def another_number_of_schedules(run):
    twice = torch.optim.SGD([{"params": [torch.zeros(1)]}, {"params": [torch.ones(1)]}], lr=0.1)
    if isinstance(run["scheduler"], torch.optim.lr_scheduler.StepLR):
        run["scheduler"] = torch.optim.lr_scheduler.StepLR(twice, step_size=2)
    else:
        run["scheduler"] = torch.optim.lr_scheduler.OneCycleLR(twice, 0.1, total_steps=9, cycle_momentum=False)


def a_scaler_that_is_off(run):
    run["scaler"] = torch.amp.GradScaler("cpu", enabled=False)


def another_loader(run):
    run["loader"] = (
        runs.StatefulLoader(0) if type(run["loader"]) is runs.ResumableLoader else runs.ResumableLoader(0)
    )


MISFITS = {
    another_size: "model: '0.weight' has shape (16, 2) in the file and (8, 2) in yours",
    another_size_of_the_average_only: "ema and yours are of different make: missing in the file 'module.weight'",
    one_layer_more: "missing in the file '5.weight' and 1 more; only in the file nothing",
    one_layer_less: "missing in the file nothing; only in the file '4.weight' and 1 more",
    another_precision: "model: '0.weight' is torch.float32 in the file and torch.bfloat16 in yours",
    inside_a_wrapper: "the names of your model begin with 'module.', the file's do not",
    not_yet_shaped: "your model has no shape yet at '0.weight' (a lazy layer)",
    another_optimizer: "its optimizer is of class ",
    another_group: "its optimizer trains groups of [6] parameters, yours groups of [2, 4]",
    another_order: "its optimizer has parameter 0 of group 0 with shape (16, 2), yours with shape (1,)",
    another_scheduler: "its scheduler is of class ",
    another_number_of_schedules: "its scheduler drives 1 parameter groups, yours 2",
    a_scaler_that_is_off: "its scaler was enabled, yours is not",
    another_loader: "its loader is of class ",
}


@pytest.mark.parametrize("change", MISFITS, ids=lambda change: change.__name__)
def test_what_does_not_fit_changes_nothing(saved, run, change):
    change(run)
    lazy = change is not_yet_shaped  # it has no bits to compare
    model = run.pop("model") if lazy else None
    before = bits(run)
    with pytest.raises(CheckpointError) as caught:
        load_checkpoint(saved[1], **run, **({"model": model} if lazy else {}))
    message = str(caught.value)
    assert MISFITS[change] in message
    assert message.endswith("Nothing was loaded.")
    assert "\n" not in message
    assert bits(run) == before


def test_what_fits_changes_everything(saved, run):
    before = bits(run)
    load_checkpoint(saved[1], **run)
    after = bits(run)
    assert all(after[part] != before[part] for part in (*PARTS, "rng") if part != "scaler")


@pytest.mark.parametrize("part", PARTS[1:])  # a file always holds a model
def test_a_part_that_the_file_lacks_is_refused(saved, run, part, tmp_path):
    fewer = {name: thing for name, thing in run.items() if name in ("model", part)}
    save_checkpoint(tmp_path / "model.pt", model=run["model"])
    before = bits(run)
    with pytest.raises(CheckpointError, match=f"holds no {part}, only model"):
        load_checkpoint(tmp_path / "model.pt", **fewer)
    assert bits(run) == before


@pytest.mark.parametrize(
    ("loader", "error", "words"),
    [
        (Fragile, CheckpointError, "your loader refused its saved state with KeyError: 'done'"),
        (Interrupted, KeyboardInterrupt, None),  # an interrupt stays one
    ],
)
def test_a_loader_that_fails_half_way_undoes_the_rest(loader, error, words, tmp_path):
    run = runs.build("sgd")
    runs.train(run, until=12)
    path = save_checkpoint(tmp_path / "a.pt", **run, step=12)
    other = runs.build("sgd", seed=1) | {"loader": loader(0)}
    runs.train(other, until=3)
    before = bits(other)
    with pytest.raises(error, match=words):
        load_checkpoint(path, **other)
    assert bits(other) == before


def test_a_model_that_fails_after_its_weights_are_in_gets_the_old_ones_back(tmp_path):
    layers = [torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3)]
    path = save_checkpoint(tmp_path / "a.pt", model=torch.nn.Sequential(*layers))
    stubborn = Stubborn(*copy.deepcopy(layers))
    with torch.no_grad():
        stubborn[0].weight += 1
    before = runs.digest(stubborn.state_dict())
    with pytest.raises(CheckpointError, match="your model refused its saved state with RuntimeError: not these"):
        load_checkpoint(path, model=stubborn)
    assert runs.digest(stubborn.state_dict()) == before


def test_what_cannot_be_put_back_is_said_and_the_rest_is_put_back(tmp_path):
    parts = [torch.nn.Linear(2, 3)]
    path = save_checkpoint(tmp_path / "a.pt", model=torch.nn.Sequential(*parts), ema=torch.nn.Linear(2, 3))
    stubborn, average = Stubborn(torch.nn.Linear(2, 3)), torch.nn.Linear(2, 3)
    stubborn.failures = 2
    before = runs.digest(average.state_dict())
    with pytest.raises(CheckpointError, match="Your model refused its former state too: build it anew"):
        load_checkpoint(path, model=stubborn, ema=average)
    assert runs.digest(average.state_dict()) == before


def test_random_states_that_are_none_undo_the_rest(saved, run, tmp_path):
    content = file_format.read(saved[1])
    content["rng"]["torch"] = torch.zeros(3, dtype=torch.uint8)
    facts = ("epoch", "step", "metrics", "versions", "holds")
    file_format.write(tmp_path / "b.pt", content, header={key: content[key] for key in facts})
    before = bits(run)
    with pytest.raises(CheckpointError, match="your random state refused its saved state"):
        load_checkpoint(tmp_path / "b.pt", **run)
    assert bits(run) == before


def test_torchdatas_loader_is_not_started_to_remember_where_it_was(saved, tmp_path):
    """Its state_dict starts an iterator, and with it the workers."""
    chance = torch.Generator().manual_seed(0)
    loader = runs.bare_stateful_loader(chance)
    save_checkpoint(tmp_path / "a.pt", model=torch.nn.Linear(2, 1), loader=loader)
    again = runs.bare_stateful_loader(torch.Generator().manual_seed(0))
    state = again.generator.get_state()
    with pytest.raises(CheckpointError):
        load_checkpoint(tmp_path / "a.pt", model=torch.nn.Linear(3, 1), loader=again)
    load_checkpoint(tmp_path / "a.pt", loader=again)
    assert again._iterator is None
    assert torch.equal(again.generator.get_state(), state)


PREFIXES = {
    "module.": "DistributedDataParallel, DataParallel or AveragedModel",
    "_orig_mod.": "torch.compile",
    "module._orig_mod.": "DistributedDataParallel, DataParallel or AveragedModel and torch.compile",
    "_orig_mod.module.": "torch.compile and DistributedDataParallel, DataParallel or AveragedModel",
    "model.": "most likely a LightningModule",
    "net.": "most likely a class that keeps its model as `net`",
    "ema.": "the average of its model as `ema`",
    "ema.module.": "DistributedDataParallel, DataParallel or AveragedModel",
    "encoder.trunk.": "most likely a class that keeps its model as `encoder.trunk`",
}


@pytest.mark.parametrize("prefix", PREFIXES)
def test_names_with_a_prefix_get_a_cure_that_works(tmp_path, prefix):
    model = torch.nn.Linear(2, 3)
    wrapped = model
    for name in reversed(prefix.split(".")[:-1]):
        wrapped = torch.nn.ModuleDict({name: wrapped})
    path = save_checkpoint(tmp_path / "a.pt", model=wrapped)
    other = torch.nn.Linear(2, 3)
    before = runs.digest(other.state_dict())
    with pytest.raises(CheckpointError) as caught:
        load_checkpoint(path, model=other)
    assert f"begin with '{prefix}', yours do not: it was saved inside " in str(caught.value)
    assert PREFIXES[prefix] in str(caught.value)
    assert f"consume_prefix_in_state_dict_if_present(state, '{prefix}')" in str(caught.value)
    assert runs.digest(other.state_dict()) == before
    state = torch.load(path, weights_only=True)["model"]
    torch.nn.modules.utils.consume_prefix_in_state_dict_if_present(state, prefix)
    other.load_state_dict(state)
    assert torch.equal(other.weight, model.weight)


@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_prefix_of_your_own_is_named_with_what_to_pass(tmp_path, prefix):
    wrapped = torch.nn.Linear(2, 3)
    path = save_checkpoint(tmp_path / "a.pt", model=wrapped)
    for name in reversed(prefix.split(".")[:-1]):
        wrapped = torch.nn.ModuleDict({name: wrapped})
    with pytest.raises(CheckpointError, match=rf"Pass what is inside: model=model\.{re.escape(prefix[:-1])}\."):
        load_checkpoint(path, model=wrapped)


def test_an_averaged_model_and_a_loss_with_weights_of_its_own_are_recognised(tmp_path):
    model = torch.nn.Linear(2, 3)
    path = save_checkpoint(tmp_path / "a.pt", model=torch.optim.swa_utils.AveragedModel(model))
    with pytest.raises(CheckpointError, match=r"begin with 'module\.' \(the file holds 1 more, such as 'n_aver"):
        load_checkpoint(path, model=torch.nn.Linear(2, 3))
    lit = torch.nn.ModuleDict({"model": model, "loss": torch.nn.PReLU()})
    path = save_checkpoint(tmp_path / "b.pt", model=lit)
    with pytest.raises(CheckpointError) as caught:
        load_checkpoint(path, model=torch.nn.Linear(2, 3))
    said = str(caught.value)
    assert "begin with 'model.' (the file holds 1 more, such as 'loss.weight'), yours do not" in said
    (fix,) = re.findall(r"as state and load (\{.*?\})\. Next", said)
    state = torch.load(path, weights_only=True)["model"]
    torch.nn.Linear(2, 3).load_state_dict(eval(fix, {"state": state}))


@pytest.mark.parametrize("inner", ["0", "1", "both"])
@pytest.mark.parametrize("where", ["the file", "yours"])
def test_a_part_that_was_compiled_by_itself_is_no_other_model(tmp_path, inner, where):
    def build(compiled):
        model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2))
        for number in (0, 1):
            if compiled and inner in (str(number), "both"):
                model[number] = torch.compile(model[number])
        return model

    path = save_checkpoint(tmp_path / "a.pt", model=build(where == "the file"))
    with pytest.raises(CheckpointError, match=r"same names but for parts that DDP .* put in, as in '\d\._orig_mod"):
        load_checkpoint(path, model=build(where == "yours"))


def test_another_model_is_still_another_model(tmp_path):
    path = save_checkpoint(tmp_path / "a.pt", model=torch.nn.ModuleDict({"model": torch.nn.Linear(2, 3)}))
    with pytest.raises(CheckpointError, match="are of different make"):
        load_checkpoint(path, model=torch.nn.ModuleDict({"a": torch.nn.Linear(2, 3), "b": torch.nn.Linear(2, 3)}))


def test_strict_false_would_have_loaded_nothing(tmp_path):
    """Why there is no `strict=False` here: with other names it loads nothing, and returns as if all were well."""
    state = {f"module.{name}": value for name, value in torch.nn.Linear(2, 3).state_dict().items()}
    model = torch.nn.Linear(2, 3)
    before = runs.digest(model.state_dict())
    model.load_state_dict(state, strict=False)
    assert runs.digest(model.state_dict()) == before
