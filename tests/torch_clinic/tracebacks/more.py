"""Programs for the cases that `diagnose` knows beside chapter 12's."""

import io
import os
import pickle
import sys
import types
from pathlib import Path

import numpy as np
import torch
import torch.distributed as dist
import torch.nn.functional as F
from files import saved
from PIL import Image
from torch import nn
from torch.utils.data import DataLoader
from torchvision import transforms
from torchvision.datasets import ImageFolder


class Tower(nn.Module):
    """A model of ours, with one layer."""

    def __init__(self):
        super().__init__()
        self.last = nn.Linear(6, 4)

    def forward(self, rows):
        return self.last(rows)


def norm_dims__two_for_four():
    nn.BatchNorm2d(12)(torch.rand(9, 12))


def pool_dims__a_matrix():
    nn.MaxPool2d(3)(torch.rand(9, 9))


def layer_norm_shape__channels_first():
    nn.LayerNorm(24)(torch.rand(2, 24, 5))


def group_norm_channels__five_of_twelve():
    nn.GroupNorm(5, 12)


def group_norm_channels__that_arrive():
    nn.functional.group_norm(torch.rand(2, 10, 3), 4)


def mask_shape__of_another_set():
    scores = torch.rand(11)
    return torch.rand(12, 2)[scores > 0.5]


def zero_dim__a_loss():
    losses = torch.tensor(2.5)
    return losses[0]


def zero_dim__a_loop():
    for _row in torch.tensor(1):
        pass


def cat_list__two_arguments():
    torch.cat(torch.rand(2, 2), torch.rand(2, 2))


def cat_list__empty():
    torch.stack([])


def cat_list__single_numbers():
    torch.cat([torch.tensor(0.5), torch.tensor(0.25)])


def cat_list__arrays():
    torch.cat([np.zeros(2), np.zeros(3)])


def stack_sizes__rows():
    return torch.stack([torch.zeros(2, 7), torch.zeros(2, 8)])


def interpolate_dims__one_picture():
    F.interpolate(torch.rand(3, 12, 12), size=(24, 24))


def recurrent_sizes__cell():
    nn.GRUCell(3, 4)(torch.rand(2, 5))


def recurrent_sizes__state_without_layers():
    nn.LSTM(3, 4)(torch.rand(6, 2, 3), (torch.zeros(2, 4), torch.zeros(2, 4)))


def recurrent_sizes__one_tensor_for_two():
    nn.LSTM(3, 4)(torch.rand(6, 2, 3), torch.zeros(1, 2, 4))


def recurrent_sizes__picture():
    nn.GRU(9, 4)(torch.rand(2, 1, 9, 9))


def recurrent_sizes__lengths():
    nn.utils.rnn.pack_padded_sequence(torch.rand(5, 2, 3), torch.tensor([2, 5]))


def recurrent_sizes__length_nought():
    nn.utils.rnn.pack_padded_sequence(torch.rand(5, 2, 3), torch.tensor([5, 0]))


def attention_inputs__width():
    attention = nn.MultiheadAttention(24, 4)
    attention(*[torch.rand(5, 2, 20)] * 3)


def attention_inputs__batches():
    nn.Transformer(8, 2, 1, 1)(torch.rand(6, 3, 8), torch.rand(6, 4, 8))


def attention_mask__too_long():
    x = torch.rand(2, 7, 12)
    causal = nn.Transformer.generate_square_subsequent_mask(9)
    nn.TransformerEncoderLayer(12, 3, batch_first=True)(x, src_mask=causal)


def attention_mask__padding_turned():
    x = torch.rand(2, 7, 12)
    nn.TransformerEncoderLayer(12, 3, batch_first=True)(x, src_key_padding_mask=torch.zeros(7, 2, dtype=torch.bool))


def attention_mask_dtype__long():
    rows = torch.rand(1, 2, 6, 4)
    F.scaled_dot_product_attention(rows, rows, rows, attn_mask=torch.ones(6, 6, dtype=torch.int64))


def attention_mask_dtype__fill():
    torch.rand(4, 4).masked_fill(torch.tril(torch.ones(4, 4)).int(), -9.0)


def attention_mask_dtype__half():
    torch.rand(3).half().masked_fill(torch.tensor([True, False, True]), -1e20)


def index_dtype__gather():
    torch.rand(4, 9).gather(1, torch.zeros(4, 1))


def index_dtype__float_index():
    rows = torch.arange(6.0)
    return rows[torch.tensor([1.0, 2.0])]


def class_values__labels_from_one():
    F.one_hot(torch.tensor([1, 2, 3]), num_classes=3)


def class_weights__too_few():
    loss = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0]))
    loss(torch.rand(4, 6), torch.tensor([0, 5, 2, 1]))


def device_name__gpu():
    torch.zeros(2).to("gpu")


def meta_tensor__moved():
    with torch.device("meta"):
        head = nn.Linear(7, 2)
    head.to("cpu")


def flag_of_result__frozen_late():
    embedded = torch.rand(3, requires_grad=True).exp()
    embedded.requires_grad = False


def forward_missing__list():
    nn.ModuleList([nn.Linear(2, 2), nn.ReLU()])(torch.rand(1, 2))


def forward_arguments__keyword():
    Tower()(torch.rand(1, 6), mask=None)


def not_a_tensor__keys_of_a_dict():
    first, _second = {"logits": torch.rand(2), "pooled": torch.rand(2)}
    F.dropout(first)


def not_a_tensor__convolution():
    nn.Conv2d(3, 4, 3)(np.zeros((1, 3, 9, 9), dtype="float32"))


def not_a_tensor__astype():
    return torch.rand(3).astype("float64")


def size_called__shape():
    return torch.rand(5, 2).shape()


def wrong_arguments__a_float():
    side = 9 / 3
    return torch.randn(side, side)


def module_list_of_data__next():
    return next(DataLoader(range(4)))


def optimizer_params__names():
    torch.optim.SGD(["weight", "bias"], lr=0.1)


def optimizer_params__twice():
    tower = Tower()
    torch.optim.AdamW([{"params": tower.parameters()}, {"params": tower.last.parameters(), "lr": 1.0}])


def optimizer_groups__other_number():
    tower = Tower()
    old = torch.optim.Adam([{"params": [tower.last.weight]}, {"params": [tower.last.bias]}])
    torch.optim.Adam(tower.parameters()).load_state_dict(old.state_dict())


def schedule__resumed():
    optimizer = torch.optim.SGD(Tower().parameters(), lr=0.3)
    torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 9, last_epoch=3)


def scaler_order__twice():
    tower, scaler = Tower(), torch.amp.GradScaler("cpu")
    optimizer = torch.optim.SGD(tower.parameters(), lr=0.1)
    scaler.scale(tower(torch.rand(3, 6)).sum()).backward()
    scaler.unscale_(optimizer)
    scaler.unscale_(optimizer)


def scaler_order__half_weights():
    tower, scaler = Tower().half(), torch.amp.GradScaler("cpu")
    optimizer = torch.optim.SGD(tower.parameters(), lr=0.1)
    scaler.scale(tower(torch.rand(3, 6).half()).sum()).backward()
    scaler.unscale_(optimizer)


def empty_set__no_folders():
    ImageFolder(Path(__file__).parent)


def transform_input__bytes():
    transforms.Normalize((0.5,), (0.5,))(torch.zeros(1, 6, 6, dtype=torch.uint8))


def transform_input__crop():
    transforms.RandomCrop(40)(Image.new("L", (30, 30)))


def numpy_array__flipped():
    torch.from_numpy(np.arange(12).reshape(3, 4)[:, ::-1])


def numpy_array__words():
    torch.tensor(["cat", "dog"])


def numpy_array__missing():
    torch.tensor([3.0, None, 4.0])


def damaged_file__pointer():
    torch.load(io.BytesIO(b"version https://git-lfs.github.com/spec/v1\noid sha256:91ae\nsize 44661\n"))


def class_not_found__renamed():
    there = types.ModuleType("there")
    there.Older = type("Older", (), {"__module__": "there"})
    sys.modules["there"] = there
    file = saved(there.Older())
    del there.Older
    try:
        torch.load(file, weights_only=False)
    finally:
        del sys.modules["there"]


def weights_are_no_model__eval():
    state = torch.load(saved(Tower().state_dict()))
    state.eval()


def older_pickle__hooks():
    layer = nn.Conv2d(1, 1, 1)
    del layer.__dict__["_forward_pre_hooks"]
    layer(torch.rand(1, 1, 2, 2))


def rank_missing__plain_python():
    for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"):
        os.environ.pop(name, None)
    dist.init_process_group("gloo")


def rank_missing__key():
    environment = {}
    return int(environment["LOCAL_RANK"])


def data_dependent__vmap():
    torch.vmap(lambda x: x if x > 0 else -x)(torch.rand(4))


def wrapped_worker__replica():
    raise RuntimeError(
        "Caught ZeroDivisionError in replica 1 on device 1.\nOriginal Traceback (most recent call last):\n"
        '  File "train.py", line 31, in forward\n    return x / self.parts(x)\nZeroDivisionError: division by zero'
    )


def damaged_file__no_magic():
    file = io.BytesIO()
    pickle.dump({"w": 1}, file, protocol=4)
    torch.load(io.BytesIO(file.getvalue()[:-3]), weights_only=False)


def torch_version__a_name():
    return torch.compiled


def environment_call__two_numbers():
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "2", "3")
