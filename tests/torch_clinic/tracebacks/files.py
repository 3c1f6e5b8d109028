"""Programs that fail at saving and loading."""

import io
import pickle
import zipfile

import torch
from torch import nn


def saved(value):
    file = io.BytesIO()
    torch.save(value, file)
    file.seek(0)
    return file


def module_keys__data_parallel():
    trained = nn.DataParallel(nn.Sequential(nn.Conv2d(1, 4, 3), nn.Flatten(), nn.Linear(16, 2)))
    fresh = nn.Sequential(nn.Conv2d(1, 4, 3), nn.Flatten(), nn.Linear(16, 2))
    fresh.load_state_dict(torch.load(saved(trained.state_dict())))


def module_keys__the_other_way():
    nn.DataParallel(nn.Linear(2, 2)).load_state_dict(nn.Linear(2, 2).state_dict())


def missing_keys__renamed_layer():
    old = nn.ModuleDict({"fc": nn.Linear(4, 2)})
    new = nn.ModuleDict({"head": nn.Linear(4, 2)})
    new.load_state_dict(old.state_dict())


def module_keys__compiled():
    weights = {f"_orig_mod.{key}": value for key, value in nn.Linear(3, 1).state_dict().items()}
    nn.Linear(3, 1).load_state_dict(weights)


def missing_keys__whole_checkpoint():
    model = nn.Linear(2, 1)
    checkpoint = {"epoch": 4, "model": model.state_dict()}
    model.load_state_dict(torch.load(saved(checkpoint)))


def size_mismatch__more_classes():
    pretrained = nn.Sequential(nn.Linear(30, 20), nn.Linear(20, 1000))
    mine = nn.Sequential(nn.Linear(30, 20), nn.Linear(20, 5))
    mine.load_state_dict(pretrained.state_dict())


def weights_only__own_class():
    torch.load(saved(Settings()))


class Settings:
    """Something of our own in a checkpoint."""


def weights_only__whole_model():
    torch.load(saved(nn.Linear(2, 2)))


def damaged_file__cut_off():
    whole = saved({"w": torch.zeros(1000)}).getvalue()
    torch.load(io.BytesIO(whole[:2000]))


def damaged_file__a_web_page():
    torch.load(io.BytesIO(b"<!DOCTYPE html><html>not found</html>"))


def damaged_file__empty():
    torch.load(io.BytesIO(b""))


def save_object__a_lambda_by_hand():
    model = nn.Linear(1, 1)
    model.activation = lambda x: x
    torch.save(model, io.BytesIO())


def state_dict_type__a_path():
    nn.Linear(1, 1).load_state_dict("model.pt")


def device_name__tagged_with_gpu():
    text = saved({"w": torch.zeros(2)}).getvalue().replace(b"X\x03\x00\x00\x00cpu", b"X\x03\x00\x00\x00gpu")
    torch.load(io.BytesIO(text))


def state_dict_type__a_model():
    model = nn.Linear(1, 1)
    model.load_state_dict(nn.Linear(1, 1))


def damaged_file__pickle_plain_not_torch():
    torch.load(io.BytesIO(pickle.dumps([1, 2, 3])))


def on_a_gpu(value):
    """A file as a machine with a GPU writes it."""
    new = io.BytesIO()
    with zipfile.ZipFile(saved(value)) as old, zipfile.ZipFile(new, "w") as file:
        for name in old.namelist():
            content = old.read(name).replace(b"X\x03\x00\x00\x00cpu", b"X\x06\x00\x00\x00cuda:3")
            file.writestr(name, content)
    new.seek(0)
    return new


def cuda_checkpoint__weights():
    torch.load(on_a_gpu(nn.Linear(5, 5).state_dict()))


def cuda_checkpoint__optimizer():
    model = nn.Linear(2, 1)
    optimizer = torch.optim.Adam(model.parameters())
    model(torch.ones(1, 2)).sum().backward()
    optimizer.step()
    optimizer.load_state_dict(torch.load(on_a_gpu(optimizer.state_dict())))
