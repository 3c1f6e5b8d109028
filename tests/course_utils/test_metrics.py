"""Figures of a model: a short batch weighs what it holds, and nothing is not zero."""

import pytest
import torch

from course_utils.metrics import Mean, accuracy, confusion_matrix


@pytest.mark.parametrize("kind", [float, torch.tensor])
def test_a_short_batch_weighs_what_it_holds(kind):
    mean = Mean()
    for value, count in ((0.1, 64), (0.1, 64), (2.5, 4)):
        mean.update(kind(value), count)
    assert mean.compute() == pytest.approx((0.1 * 128 + 2.5 * 4) / 132)


def test_a_mean_keeps_no_graph():
    mean, weight = Mean(), torch.ones(1, requires_grad=True)
    mean.update((weight * 3).sum(), 2)
    assert not mean._total.requires_grad and mean.compute() == 3


def test_many_small_values_are_not_lost():
    mean = Mean()
    mean.update(torch.tensor(1e8), 1)
    for _ in range(1000):
        mean.update(torch.tensor(1.0), 1)
    assert mean.compute() * 1001 == pytest.approx(1e8 + 1000, abs=1)  # in float32 the ones would vanish


def test_the_mean_of_nothing_is_refused():
    with pytest.raises(ValueError, match="Call update"):
        Mean().compute()


def test_accuracy_is_the_share_of_largest_logits_at_the_target():
    logits = torch.tensor([[1.0, 2.0, 0.0], [3.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    assert accuracy(logits, torch.tensor([1, 0, 2, 0])).item() == 0.75


def test_rows_of_the_confusion_matrix_are_the_truth():
    matrix = confusion_matrix(torch.tensor([1, 1, 0, 2]), torch.tensor([1, 0, 0, 1]), num_classes=3)
    assert matrix.tolist() == [[1, 1, 0], [0, 1, 1], [0, 0, 0]]
