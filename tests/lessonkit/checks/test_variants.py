"""Equal values, other strides; and a check hands an answer what the question's inputs are, layout and all."""

import pytest
import torch

from lessonkit.checks.exercise import Exercise
from lessonkit.checks.variants import channels_last, expanded, offset, strided, transposed

DTYPES = (torch.float32, torch.bfloat16, torch.int32, torch.bool, torch.complex64)
PICTURES = torch.arange(120.0).view(2, 3, 4, 5)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("variant", [strided, transposed, channels_last, offset])
def test_equal_in_everything_but_the_layout(variant, dtype):
    plain = PICTURES.to(dtype)
    other = variant(plain)
    assert torch.equal(other, plain) and other.dtype == dtype and other.shape == plain.shape
    assert (other.stride(), other.storage_offset()) != (plain.stride(), plain.storage_offset())
    assert other.untyped_storage().data_ptr() != plain.untyped_storage().data_ptr()
    assert other.is_contiguous() == (variant is offset)


@pytest.mark.parametrize("variant", [strided, transposed, channels_last, offset])
def test_a_leaf_stays_a_leaf_and_empty_stays_empty(variant):
    leaf = variant(torch.zeros(2, 3, 4, 5, requires_grad=True))
    assert leaf.requires_grad and leaf.is_leaf and not variant(torch.zeros(2, 3, 4, 5)).requires_grad
    assert variant(torch.zeros(0, 3, 4, 5)).shape == (0, 3, 4, 5)


def test_few_dimensions():
    assert strided(torch.arange(3)).stride() == (2,) and strided(torch.tensor(7)).item() == 7
    assert offset(torch.tensor(7)).storage_offset() == 3
    assert transposed(torch.ones(2, 3)).mT.is_contiguous()
    assert channels_last(torch.ones(1, 2, 3, 4, 5)).is_contiguous(memory_format=torch.channels_last_3d)
    for variant in (transposed, channels_last):
        with pytest.raises(ValueError, match=r"shape \(3,\)"):
            variant(torch.ones(3))


def test_expanded_rows_are_one_in_memory():
    rows = expanded(torch.arange(3), 4)
    assert rows.shape == (4, 3) and rows.stride() == (0, 1) and rows.tolist() == [[0, 1, 2]] * 4


def seen_of(x):
    return [x.stride(), x.storage_offset(), x.dtype, x.requires_grad, x.is_leaf]


def layout(x):
    """What can be seen of a tensor but its values."""
    return seen_of(x)


def laid_out(seed):
    plain = torch.rand(2, 3, 4, 5, generator=torch.Generator().manual_seed(seed))
    leaf = torch.nn.Parameter(transposed(plain).to(torch.bfloat16))
    return [(strided(plain),), (transposed(plain),), (channels_last(plain),), (offset(plain),), (leaf,)]


def test_an_answer_is_given_the_layout_of_the_inputs():
    seen = []
    question = Exercise(layout, inputs=laid_out)
    assert question.check(lambda x: seen.append((type(x), *seen_of(x))) or seen_of(x)).passed
    assert [tuple(seen_of(x)) for (x,) in laid_out(1)] == [one[1:] for one in seen]
    assert [one[0] for one in seen] == [torch.Tensor] * 4 + [torch.nn.Parameter]
    assert seen[-1][3:5] == (torch.bfloat16, True)


def shared(x, y):
    """Whether two tensors share a storage."""
    return x.untyped_storage().data_ptr() == y.untyped_storage().data_ptr()


def test_tied_tensors_are_tied_in_the_answer_and_frozen_ones_frozen():
    def inputs(seed):
        x = torch.full((4,), float(seed))
        return [(x, x[1:]), (x, x.clone()), (x, x)]

    def answer(x, y):
        return y.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()

    assert Exercise(shared, inputs=inputs).check(answer).passed
    assert [shared(*pair) for pair in inputs(1)] == [True, False, True]

    def net(seed):
        layers = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2))
        layers[1].weight = layers[0].weight
        layers[0].bias.requires_grad_(seed < 0)
        return [(layers,)]

    def nature(layers):
        return [layers[0].weight is layers[1].weight, *(one.requires_grad for one in layers.parameters())]

    assert Exercise(nature, inputs=net).check(lambda layers: [True, True, False, True]).passed
