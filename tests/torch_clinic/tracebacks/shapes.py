"""Programs that fail over a shape; each function is `case__variant` and raises what its case is about."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def mm_shapes__flatten_forgotten():
    class Classifier(nn.Module):
        def __init__(self):
            super().__init__()
            self.stem = nn.Conv2d(3, 12, 3, padding=1)
            self.head = nn.Linear(12 * 14 * 14, 7)

        def forward(self, images):
            features = F.max_pool2d(F.relu(self.stem(images)), 2)
            return self.head(features)

    Classifier()(torch.rand(5, 3, 28, 28))


def mm_shapes__wrong_width_after_pooling():
    encoder = nn.Sequential(nn.Flatten(), nn.Linear(3072, 200), nn.GELU(), nn.Linear(256, 10))
    encoder(torch.rand(17, 3, 32, 32))


def mm_shapes__two_matrices():
    queries, keys = torch.randn(40, 64), torch.randn(50, 64)
    _scores = queries @ keys


def mm_shapes__batched():
    left = torch.randn(6, 9, 32)
    torch.bmm(left, torch.randn(6, 31, 4))


def mm_shapes__vector():
    torch.mv(torch.randn(11, 5), torch.ones(4))


def broadcast_sizes__bias_of_another_length():
    hidden = torch.zeros(32, 10, 48)
    offset = torch.ones(47)
    return hidden + offset


def broadcast_sizes__mask():
    picture, mask = torch.rand(3, 224, 224), torch.ones(3, 200, 224, dtype=torch.bool)
    picture.mul_(mask)


def broadcast_sizes__expand():
    torch.zeros(4, 3).expand(8, 3)


def conv_channels__grey_into_colour():
    tower = nn.Sequential(nn.Conv2d(3, 64, 7, stride=2), nn.ReLU(), nn.Conv2d(64, 128, 3))
    tower(torch.rand(2, 1, 224, 224))


def conv_channels__second_layer():
    a, b = nn.Conv1d(8, 20, 5), nn.Conv1d(16, 4, 5)
    b(a(torch.randn(10, 8, 100)))


def conv_channels__channels_last_array():
    photo = torch.from_numpy(np.zeros((1, 96, 128, 3), dtype=np.float32))
    nn.Conv2d(3, 8, 3)(photo)


def conv_dims__one_picture_without_channels():
    digit = torch.rand(28, 28)
    nn.Conv2d(1, 6, 5)(digit)


def conv_dims__volume():
    scan = torch.rand(2, 16, 64)
    nn.Conv3d(1, 4, 3)(scan)


def conv_dims__batch_of_batches():
    clips = torch.rand(2, 7, 3, 32, 32)
    nn.Conv2d(3, 6, 5)(clips)


def view_numel__wrong_product():
    batch = torch.rand(30, 1, 28, 28)
    batch.reshape(32, 784)


def view_numel__view_minus_one():
    torch.arange(100).view(-1, 7)


def view_strides__permuted():
    sequence = torch.zeros(8, 20, 5).permute(1, 0, 2)
    flat = sequence.view(20, 40)
    return flat


def view_strides__slice():
    board = torch.arange(64).reshape(8, 8)[:, 2:5]
    board.view(-1)


def cat_sizes__different_heights():
    torch.cat([torch.zeros(2, 3, 64), torch.zeros(2, 4, 64)], dim=2)


def cat_sizes__different_ranks():
    torch.cat((torch.zeros(4, 10), torch.zeros(4)))


def collate_sizes__in_hand():
    words = [torch.ones(n) for n in (4, 9, 2)]
    torch.stack(words)


def dim_range__sum():
    torch.randn(3, 4).sum(dim=2)


def dim_range__softmax_of_a_vector():
    F.softmax(torch.randn(10), dim=1)


def index_bounds__class():
    table = torch.randn(5, 2)
    return table[5]


def index_bounds__list_of_rows():
    table = torch.randn(6, 2)
    return table[[0, 3, 9]]


def kernel_too_large__kernel():
    deep = nn.Sequential(nn.Conv2d(1, 2, 5), nn.MaxPool2d(2), nn.Conv2d(2, 4, 5))
    deep(torch.rand(1, 1, 9, 9))


def kernel_too_large__pool():
    nn.MaxPool2d(2)(torch.rand(1, 16, 1, 1))


def batchnorm_one__last_batch():
    head = nn.Sequential(nn.Linear(20, 33), nn.BatchNorm1d(33), nn.ReLU())
    head(torch.randn(1, 20))


def batchnorm_one__one_by_one_map():
    nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.BatchNorm2d(6))(torch.randn(1, 6, 8, 8))


def batchnorm_channels__other_width():
    nn.Sequential(nn.Linear(8, 100), nn.BatchNorm1d(64))(torch.randn(16, 8))


def recurrent_sizes__input_feature_size():
    reader = nn.LSTM(input_size=50, hidden_size=64, batch_first=True)
    reader(torch.randn(4, 12, 40))


def recurrent_sizes__input_hidden_batch():
    reader = nn.GRU(10, 21, num_layers=2)
    reader(torch.randn(7, 3, 10), torch.zeros(2, 5, 21))


def unknown__too_many_values_unpack():
    _pictures, _labels = torch.utils.data.default_collate([(torch.zeros(2), 1, "a"), (torch.ones(2), 0, "b")])


def bool_of_tensor__if():
    losses = torch.tensor([0.3, 0.2])
    if losses < 0.5:
        return "done"


def bool_of_tensor__python_and():
    scores = torch.rand(4, 4)
    return scores[(scores > 0.2) and (scores < 0.8)]


def not_one_element__loss_not_reduced():
    loss_fn = nn.CrossEntropyLoss(reduction="none")
    loss = loss_fn(torch.randn(6, 3), torch.zeros(6, dtype=torch.long))
    return loss.item()


def not_one_element__float():
    return float(torch.ones(2, 2))
