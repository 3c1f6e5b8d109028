"""An optimizer's state goes to the parameters it was saved from: what can be seen is refused, the rest is said."""

import warnings

import pytest
import torch
from torch import nn

from course_utils.checkpoint import load_checkpoint, save_checkpoint
from course_utils.checkpoints import file_format, trained
from course_utils.checkpoints.file_format import CheckpointError


def net():
    """Three layers of one shape, the last two of which could change places unseen."""
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4))


def two_groups(model, body=(0, 1), head=(2,)):
    groups = [
        {"params": [p for number in numbers for p in model[number].parameters()], "lr": lr}
        for numbers, lr in ((body, 1e-5), (head, 1e-2))
    ]
    return torch.optim.AdamW(groups)


def stepped(model, optimizer):
    model(torch.ones(2, 4)).sum().backward()
    optimizer.step()
    return optimizer


ORDERS = {
    "another order in a group": lambda model: two_groups(model, body=(1, 0)),
    "a layer in the other group": lambda model: two_groups(model, body=(0, 2), head=(1,)),
    "another layer frozen": lambda model: two_groups(model, body=(1, 2), head=(0,)),
}


@pytest.mark.parametrize("build", ORDERS.values(), ids=ORDERS)
def test_state_for_other_parameters_of_the_same_shapes_is_refused(tmp_path, build):
    model = net()
    path = save_checkpoint(tmp_path / "a.pt", model=model, optimizer=stepped(model, two_groups(model)))
    other = net()
    optimizer = build(other)
    before = optimizer.state_dict()
    with pytest.raises(CheckpointError, match=r"its optimizer has '\d\.weight' as parameter \d of group \d, yours"):
        load_checkpoint(path, model=other, optimizer=optimizer)
    assert optimizer.state_dict() == before and not optimizer.state
    load_checkpoint(path, model=other)  # the model alone fits


def test_groups_of_one_size_that_changed_places_are_refused(tmp_path):
    model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))
    path = save_checkpoint(tmp_path / "a.pt", model=model, optimizer=stepped(model, two_groups(model, (0,), (1,))))
    with pytest.raises(CheckpointError, match=r"'0\.weight' as parameter 0 of group 0, yours has '1\.weight'"):
        load_checkpoint(path, model=model, optimizer=two_groups(model, (1,), (0,)))


@pytest.mark.parametrize("kind", [torch.optim.SGD, torch.optim.Adam, torch.optim.RMSprop, torch.optim.Adagrad])
def test_each_kind_of_optimizer_is_compared_and_the_right_one_is_loaded_without_a_word(tmp_path, kind):
    model = net()
    path = save_checkpoint(
        tmp_path / "a.pt", model=model, optimizer=stepped(model, kind(model.parameters(), lr=0.1))
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        facts = load_checkpoint(path, model=model, optimizer=kind(model.parameters(), lr=0.1))
    assert facts["optimizer_note"] is None
    with pytest.raises(CheckpointError, match=r"its optimizer has '0\.weight' as parameter 0 of group 0"):
        swapped = [p for layer in reversed(model) for p in layer.parameters()]
        load_checkpoint(path, model=model, optimizer=kind(swapped, lr=0.1))


def test_a_wrapper_changes_no_name(tmp_path):
    model = net()
    path = save_checkpoint(tmp_path / "a.pt", model=model, optimizer=stepped(model, two_groups(model)))
    model[1] = torch.compile(model[1])  # its names are 1._orig_mod.weight now
    optimizer = two_groups(model)
    found = trained.names(optimizer, nn.DataParallel(model))
    assert (
        found
        == trained.saved_names(file_format.read(path))
        == [
            ["0.weight", "0.bias", "1.weight", "1.bias"],
            ["2.weight", "2.bias"],
        ]
    )


def test_names_that_the_optimizer_has_itself_are_compared(tmp_path):
    """Built from `named_parameters()`, as torch takes since 2.6; no model is given at the load."""
    model = net()
    saved = stepped(model, torch.optim.AdamW(model.named_parameters()))
    assert "param_names" in saved.state_dict()["param_groups"][0]
    path = save_checkpoint(tmp_path / "a.pt", model=model, optimizer=saved)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        load_checkpoint(path, optimizer=torch.optim.AdamW(model.named_parameters()))
    with pytest.raises(CheckpointError, match=r"'0\.weight' as parameter 0 of group 0, yours has '2\.weight'"):
        turned = [pair for layer in "210" for pair in model.named_parameters() if pair[0].startswith(layer)]
        load_checkpoint(path, optimizer=torch.optim.AdamW(turned))


def test_names_in_the_state_of_a_file_of_an_earlier_version_are_compared(tmp_path):
    model = net()
    saved = stepped(model, torch.optim.AdamW(model.named_parameters()))
    path = without_names(save_checkpoint(tmp_path / "a.pt", model=model, optimizer=saved))
    with pytest.raises(CheckpointError, match=r"'0\.weight' as parameter 0 of group 0, yours has '2\.weight'"):
        swapped = [p for layer in reversed(model) for p in layer.parameters()]
        load_checkpoint(path, model=model, optimizer=torch.optim.AdamW(swapped))


def without_names(path):
    """The file as an earlier version of the course wrote it."""
    content = file_format.read(path)
    del content["names"]
    file_format.write(path, content, header=file_format.read_header(path))
    return path


def noted(path, **objects):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        facts = load_checkpoint(path, **objects)
    assert [str(one.message) for one in caught] == [note for note in [facts["optimizer_note"]] if note]
    return facts["optimizer_note"]


def test_what_cannot_be_compared_is_said(tmp_path):
    model = net()
    path = save_checkpoint(tmp_path / "a.pt", model=model, optimizer=stepped(model, two_groups(model)))
    said = noted(path, optimizer=two_groups(model))
    assert "by order and shape alone, because yours does not name its parameters (pass model= as well)" in said
    assert "3 parameters have the shape (4, 4)" in said
    assert "yours trains parameters that are not in your model" in noted(
        path, model=net(), optimizer=two_groups(model)
    )
    assert noted(path, model=model, optimizer=two_groups(model)) is None
    without_names(path)
    assert "the file does not name all the parameters" in noted(path, model=model, optimizer=two_groups(model))
    assert noted(path, model=model) is None


def test_where_shapes_tell_parameters_apart_nothing_is_said(tmp_path):
    model = nn.Linear(3, 2)
    optimizer = stepped_any(model)
    path = without_names(save_checkpoint(tmp_path / "a.pt", model=model, optimizer=optimizer))
    assert noted(path, model=model, optimizer=torch.optim.AdamW(model.parameters())) is None


def stepped_any(model):
    optimizer = torch.optim.AdamW(model.parameters())
    model(torch.ones(2, 3)).sum().backward()
    optimizer.step()
    return optimizer


@pytest.mark.parametrize("odd", [7, {"optimizer": "x"}, {"optimizer": [["a"], 3]}, {"optimizer": [[1]]}, {}])
def test_names_that_are_none_are_as_good_as_no_names(tmp_path, odd):
    model = net()
    path = save_checkpoint(tmp_path / "a.pt", model=model, optimizer=stepped(model, two_groups(model)))
    content = file_format.read(path) | {"names": odd}
    file_format.write(path, content, header=file_format.read_header(path))
    assert "does not name" in noted(path, model=model, optimizer=two_groups(model))
