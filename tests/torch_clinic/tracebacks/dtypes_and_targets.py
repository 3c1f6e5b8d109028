"""Programs that fail over a dtype, or over what a loss takes as target."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def dtype_linear__array_of_doubles():
    rows = torch.from_numpy(np.random.default_rng(3).normal(size=(10, 6)))
    nn.Linear(6, 2)(rows)


def dtype_conv__doubles():
    nn.Conv2d(3, 4, 3)(torch.rand(1, 3, 9, 9, dtype=torch.float64))


def dtype_conv__bytes():
    camera = torch.randint(0, 256, (2, 3, 20, 20), dtype=torch.uint8)
    nn.Conv2d(3, 4, 3)(camera)


def dtype_linear__half_model():
    small = nn.Linear(4, 4).half()
    small(torch.ones(2, 4))


def dtype_linear__matmul():
    torch.ones(3, 3).long() @ torch.ones(3, 3)


def dtype_linear__lstm():
    nn.LSTM(5, 7)(torch.zeros(3, 2, 5, dtype=torch.float64))


def targets_dtype__floats():
    logits = torch.randn(12, 4)
    wanted = torch.tensor([0.0, 1.0, 2.0, 3.0] * 3)
    nn.CrossEntropyLoss()(logits, wanted)


def targets_dtype__one_hot_of_ints():
    labels = torch.tensor([1, 0, 2])
    F.cross_entropy(torch.randn(3, 3), F.one_hot(labels, 3))


def targets_dtype__int32():
    F.nll_loss(torch.randn(5, 8).log_softmax(1), torch.zeros(5, dtype=torch.int32))


def targets_dtype__bool():
    F.cross_entropy(torch.randn(4, 2), torch.tensor([True, False, True, True]))


def targets_bounds__labels_from_one():
    labels = torch.tensor([1, 2, 3, 4, 5])
    F.cross_entropy(torch.randn(5, 5), labels)


def targets_bounds__unknown_class():
    F.nll_loss(torch.randn(2, 3).log_softmax(dim=1), torch.tensor([0, -1]))


def targets_shape__column():
    nn.CrossEntropyLoss()(torch.randn(9, 3), torch.zeros(9, 1, dtype=torch.int64))


def targets_batch__half_as_many():
    F.cross_entropy(torch.randn(20, 5), torch.zeros(10, dtype=torch.long))


def targets_shape__segmentation():
    F.cross_entropy(torch.randn(2, 21, 8, 8), torch.zeros(2, 1, 8, 8, dtype=torch.long))


def targets_shape__sequence():
    logits = torch.randn(4, 11, 300)
    F.cross_entropy(logits, torch.zeros(4, 11, dtype=torch.long))


def bce_shape__column_against_row():
    probability = torch.sigmoid(torch.randn(16, 1))
    nn.BCELoss()(probability, torch.zeros(16))


def bce_shape__with_logits():
    F.binary_cross_entropy_with_logits(torch.randn(7, 1), torch.ones(7))


def bce_range__bce_of_logits():
    nn.BCELoss()(torch.tensor([2.5, -1.0]), torch.tensor([1.0, 0.0]))


def loss_dtype__bce_of_long_targets():
    F.binary_cross_entropy(torch.rand(5), torch.ones(5, dtype=torch.int64))


def index_dtype__embedding_dtype_floats():
    nn.Embedding(100, 8)(torch.tensor([[3.0, 5.0]]))


def embedding_range__unknown_word():
    words = nn.Embedding(num_embeddings=50, embedding_dim=4)
    words(torch.tensor([3, 49, 50]))


def mean_of_integers__counts():
    counts = torch.tensor([3, 5, 8])
    return counts.mean()


def mean_of_integers__bytes_std():
    return torch.randint(0, 255, (4, 4), dtype=torch.uint8).std()


def integer_grad__parameter():
    nn.Parameter(torch.arange(4))


def integer_grad__flag():
    counts = torch.zeros(3, dtype=torch.long)
    counts.requires_grad_()


def result_type__in_place():
    total = torch.zeros(3, dtype=torch.int64)
    total += torch.rand(3)


def numpy_array__object_array_ragged():
    torch.from_numpy(np.array([[1, 2], [3]], dtype=object))


def numpy_array__object_array_strings():
    torch.tensor(np.array(["cat", "dog"]))


def not_a_tensor__list():
    F.relu([1.0, -2.0])


def tuple_output__lstm_in_sequential():
    sequence = nn.Sequential(nn.LSTM(4, 6), nn.Linear(6, 2))
    sequence(torch.randn(3, 2, 4))


def not_a_tensor__array():
    nn.Linear(3, 1)(np.zeros((2, 3), dtype="float32"))


def not_implemented__softmax_of_counts():
    votes = torch.tensor([4, 1, 7])
    return votes.softmax(0)


def not_implemented__product_of_masks():
    seen = torch.ones(3, 3, dtype=torch.bool)
    return seen @ seen


def not_implemented__random_integers():
    return torch.randn(10, dtype=torch.int16)
