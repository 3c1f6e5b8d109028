"""What chapter 00 asks: a dtype, a scale, the accuracy for each digit, a mean, a batch of while loops.

The inputs of each question, and how an answer is driven. A submission that is graded sees this file.
"""

import torch

from lessonkit.checks.question import Question
from lessonkit.checks.restrictions import no_loop
from lessonkit.checks.variants import channels_last, expanded, offset

half_dtype = Question(
    "half_dtype",
    asks="which dtype `torch.tensor([1, 2, 3]) / 2` has.",
)


def batches_of_bytes(seed: int) -> list[tuple]:
    """Return batches of grey images, uint8.

    One, several, none, a dark one without a white pixel, not square; transposed images, every second row; as many
    and as large as an earlier batch, one row, one column, one pixel, black ones, white ones, one image four times
    in the same memory, more than a byte can count.
    """
    draw = torch.Generator().manual_seed(seed)

    def images_of(*shape, low=0, high=256):
        return torch.randint(low, high, shape, generator=draw, dtype=torch.uint8)

    batches = [images_of(2, 3, 4), images_of(1, 28, 28), images_of(5, 4, 3), images_of(0, 28, 28)]
    batches += [images_of(3, 2, 6, low=1, high=100), images_of(4, 5, 3).mT, images_of(3, 6, 4)[:, ::2]]
    batches += [
        images_of(2, 3, 4),
        images_of(3, 1, 4),
        images_of(3, 4, 1),
        images_of(4, 1, 1),
        images_of(2, 3, 4, high=1),
    ]
    batches += [images_of(2, 5, 2, low=255), expanded(images_of(3, 4), 4), images_of(1030, 2, 3, high=40)]
    return [(images,) for images in batches]


def bytes_of_any_shape(seed: int) -> list[tuple]:
    """Return what `batches_of_bytes` does, and more shapes.

    A row, a transposed image, colours last and first, a dark one, every byte, one byte, nothing without
    and with rows, five axes, the middle of a longer row.
    """
    draw = torch.Generator().manual_seed(seed + 1)
    row, image, colours = (
        torch.randint(0, 256, shape, generator=draw, dtype=torch.uint8) for shape in ((7,), (3, 5), (2, 4, 4, 3))
    )
    dark = torch.randint(0, 2, (3, 3), generator=draw, dtype=torch.uint8)  # nothing is bright
    shapes = [row, image.T, colours.permute(0, 3, 1, 2), dark, torch.arange(256, dtype=torch.uint8)]
    shapes += [
        colours,
        channels_last(colours),
        row[1:2],
        row[:0],
        image[:, :0],
        colours[:, None],
        offset(row),
    ]
    return [*batches_of_bytes(seed), *((images,) for images in shapes)]


class NumpyArray:
    """What an answer is seen to have returned that is an array of NumPy's, where a tensor is asked for."""


class TensorThatTheNextCallOverwrites:
    """What an answer is seen to have returned that a second call has altered."""


def and_once_more(answer, arguments, others):
    """Return what the answer gives for the arguments, unless a call with the others then alters it."""
    value = answer(*arguments)
    if not isinstance(value, torch.Tensor):
        return value
    before = value.detach().clone()
    answer(*others)
    same = torch.allclose(value.detach(), before, equal_nan=True)
    return value if same else TensorThatTheNextCallOverwrites()


def as_tensor(answer, images):
    """Call the answer twice; what it returns counts as a tensor only if it is one."""
    value = and_once_more(answer, (images,), (255 - images,))
    return value if isinstance(value, torch.Tensor) or not hasattr(value, "__array__") else NumpyArray()


to_unit = Question(
    "to_unit",
    inputs=bytes_of_any_shape,
    probe=as_tensor,
    rtol=3e-6,
    atol=1e-8,
)


def guesses_and_targets(seed: int) -> list[tuple]:
    """Return pairs of digits, guessed and true.

    Twenty of them, all ten digits among 200, one image, none, only sevens, all right, all wrong, every second,
    700 nines, only noughts, each digit once, one target many times in the same memory, 3,000 with 2,501 threes.
    """
    draw = torch.Generator().manual_seed(seed)

    def digits(number, low=0, high=10):
        return torch.randint(low, high, (number,), generator=draw)

    def guessed(targets):  # two thirds of them right
        return torch.where(torch.rand(len(targets), generator=draw) < 0.67, targets, digits(len(targets)))

    few = torch.cat([torch.tensor([3, 3, 3, 8]), digits(16, 1, 7)])
    many = torch.cat([torch.arange(10), digits(190)])
    sevens = torch.full((5,), 7)
    pairs = [(torch.cat([torch.tensor([3, 8, 3, 3]), guessed(few[4:])]), few), (guessed(many), many)]
    pairs += [(torch.tensor([4]), torch.tensor([9])), (digits(0), digits(0)), (digits(5), sevens)]
    pairs += [(few, few), ((many + 1) % 10, many), (guessed(many)[::2], many[::2])]
    nines = torch.full((700,), 9)  # more than a byte can count
    pairs += [(guessed(nines), nines), (digits(9, 0, 2), digits(9, 0, 1)), (digits(10), torch.arange(9, -1, -1))]
    pairs += [(digits(30, 4, 6), expanded(torch.tensor(5), 30))]
    threes = torch.cat([torch.full((2501,), 3), digits(499, 4)])  # more than float16 can count
    return [*pairs, (guessed(threes), threes)]


def shares_of_two_calls(answer, guesses, targets):
    """Call the answer, and once more with a few other guesses."""
    return and_once_more(answer, (guesses, targets), ((guesses[:9] + 1) % 10, targets[:9].clone()))


hit_rates = Question(
    "hit_rates",
    inputs=guesses_and_targets,
    probe=shares_of_two_calls,
    rtol=3e-6,
    atol=1e-8,
)


ink = Question(
    "ink",
    inputs=batches_of_bytes,
    probe=as_tensor,
    restrictions=(no_loop,),
    rtol=1e-5,
    atol=1e-8,
)


def positive_sizes(seed: int) -> list[tuple]:
    """Return positive numbers.

    By hand, many at once, none, nothing to do, one large, a little over what halves evenly: the next number above
    a power of two, and the largest there are; every second of a row; each power of two with its neighbours, the
    smallest and the largest number, more than a thousand, one size many times in the same memory.
    """
    draw = torch.Generator().manual_seed(seed)
    spread = torch.exp(4 * torch.randn(20, generator=draw))
    small = torch.rand(4, generator=draw) * 0.9 + 0.05
    powers = 2.0 ** torch.tensor([0, 1, 4, 23, 31, 47, 100])
    each = 2.0 ** torch.arange(128)
    up, extremes = torch.tensor(torch.inf), torch.tensor([3.4028234e38, 1e-45, 1.1754944e-38])
    return [
        (torch.tensor([0.5, 1.0, 3.0, 8.0]),),
        (spread,),
        (torch.empty(0),),
        (small,),
        (torch.tensor([1000.0]),),
        (torch.tensor([1.0001, 1.1, 2.001, 4.5, 64.5]),),
        (powers,),
        (torch.nextafter(powers, torch.tensor(torch.inf)),),
        (torch.tensor([3e38, 1e-38, 1.5]),),
        (torch.exp(3 * torch.randn(12, generator=draw))[::2],),
        (torch.cat([each, torch.nextafter(each, up), torch.nextafter(each, torch.tensor(0.0)), extremes]),),
        (torch.exp(6 * torch.randn(1030, generator=draw)),),
        (expanded(torch.tensor(5.0), 6),),
    ]


def counts_of_two_calls(answer, sizes):
    """Call the answer, and once more with as many sizes of which each needs another number of halvings."""
    return and_once_more(answer, (sizes,), (torch.where(sizes > 1, 0.5, 7.0),))


halvings = Question(
    "halvings",
    inputs=positive_sizes,
    probe=counts_of_two_calls,
)
