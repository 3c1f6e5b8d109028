"""Our answers to the questions of chapter 00: references, known mistakes and hints.

The docstring of a mistake is what a learner reads who makes it. A submission that is graded never sees this file.
"""

import torch

from lessonkit.checks.answer import Answer


def half_dtype():
    """Division with `/` gives floating-point numbers, and PyTorch's default dtype for these is float32."""
    return torch.float32


def kept_whole_numbers():
    """`/` does not return integers: 1 / 2 is 0.5, which int64 cannot hold. (`//` would return int64.)"""
    return torch.int64


def as_in_python():
    """A float of Python or NumPy has 64 bits. PyTorch's default dtype has 32 bits, which take half the memory."""
    return torch.float64


def half_precision():
    """float16 is called *half precision*, but a division does not return it: PyTorch's default dtype has 32
    bits."""
    return torch.float16


def quoted():
    """This is the right dtype as a string. A dtype is an object of PyTorch, so leave out the quotes."""
    return "torch.float32"


def quoted_without_torch():
    """This is the name of the right dtype as a string. A dtype is an object of PyTorch: write `torch.float32`
    without quotes."""
    return "float32"


def the_quotient_itself():
    """This is the result of the division. The question is about its dtype, which the attribute `.dtype` holds."""
    return torch.tensor([0.5, 1.0, 1.5])


half_dtype = Answer(
    half_dtype,
    mistakes=(
        kept_whole_numbers,
        as_in_python,
        half_precision,
        quoted,
        quoted_without_torch,
        the_quotient_itself,
    ),
    hints=(
        "Press Esc, then B, then Enter: this makes a new cell. Compute the tensor there and look at its `.dtype`.",
        "The answer is one of PyTorch's dtypes, written like `torch.int64`, without quotes.",
        "1 / 2 is a fraction, so the answer is not int64. Run `torch.tensor([0.5]).dtype`: which dtype has 0.5?",
    ),
)


def to_unit(images):
    """`/` converts integers to float32, so 0 to 255 becomes 0 to 1."""
    return images / 255


def divided_whole(images):
    """The result should hold fractions from 0 to 1, but every pixel below 255 has become 0. `//` does that, and
    so does a conversion to integers after `/`."""
    return images // 255


def changed_the_type_only(images):
    """The dtype is right, but the values still run from 0 to 255. Divide them by 255 as well."""
    return images.float()


def divided_by_the_brightest(images):
    """You divided by the brightest pixel of the tensor, so a dark image becomes as bright as a light one.
    Divide by 255, the largest value of `uint8`, so that all images have the same scale."""
    return images / images.max() if images.numel() else images / 255


def divided_by_each_brightest(images):
    """You divided each image by its own brightest pixel, so a dark image becomes as bright as a light one, and
    a black one becomes NaN. Divide by 255, the largest value of `uint8`, so that all images have the same
    scale."""
    return images / images.amax(dim=(-2, -1), keepdim=True)


def divided_by_256(images):
    """You divided by 256. A byte has 256 different values, but the largest is 255, so white does not become 1."""
    return images / 256


to_unit = Answer(
    to_unit,
    mistakes=(
        divided_whole,
        changed_the_type_only,
        divided_by_the_brightest,
        divided_by_each_brightest,
        divided_by_256,
    ),
    hints=(
        "Look at an input: `ex.to_unit.example()` returns a tuple with the arguments of the first one.",
        "One operation is enough, and you know it from exercise 1: what does `/` do with integers?",
        "The largest pixel, 255, must become 1.0.",
    ),
)


def hit_rates(guesses, targets):
    """The mean of right (1) and wrong (0) over the images that show a digit; it is NaN if there are none."""
    hits = (guesses == targets).float()
    return torch.stack([hits[targets == digit].mean() for digit in range(10)])


def of_those_guessed(guesses, targets):
    """You divided by how often each digit was *guessed*. Divide by the number of images that *show* the digit,
    which are those with `targets == digit`."""
    hits = (guesses == targets).float()
    return torch.stack([hits[guesses == digit].mean() for digit in range(10)])


def of_all_images(guesses, targets):
    """You divided by the number of all images. Divide by the number of images that show the digit: a digit that
    is always guessed right must get 1."""
    hits = guesses == targets
    return torch.stack([(hits & (targets == digit)).float().sum() / len(targets) for digit in range(10)])


def counted(guesses, targets):
    """These are the numbers of right guesses. Divide each by the number of images that show the digit."""
    hits = (guesses == targets).float()
    return torch.stack([hits[targets == digit].sum() for digit in range(10)])


def one_for_all(guesses, targets):
    """This is one accuracy for all digits together. The result must hold ten, one for each digit: shape `(10,)`."""
    return (guesses == targets).float().mean()


def share_wrong(guesses, targets):
    """This is the fraction that was guessed *wrong*. The accuracy is 1 minus this fraction."""
    misses = (guesses != targets).float()
    return torch.stack([misses[targets == digit].mean() for digit in range(10)])


def zero_for_none(guesses, targets):
    """A digit that no image shows got 0, as if it had been guessed wrong. Its accuracy is unknown, so the
    result must be NaN. The mean of an empty tensor is NaN, and so is 0 / 0 of two tensors."""
    hits = (guesses == targets).float()
    return torch.stack([hits[targets == digit].mean() for digit in range(10)]).nan_to_num(0.0)


def one_for_none(guesses, targets):
    """A digit that no image shows got 1, as if it had been guessed right. Its accuracy is unknown, so the
    result must be NaN. The mean of an empty tensor is NaN, and so is 0 / 0 of two tensors."""
    hits = (guesses == targets).float()
    return torch.stack([hits[targets == digit].mean() for digit in range(10)]).nan_to_num(1.0)


def only_those_shown(guesses, targets):
    """You left out the digits that no image shows, so nobody can tell which accuracy belongs to which digit.
    The result must always have ten elements, with NaN for such a digit."""
    hits = (guesses == targets).float()
    rates = torch.stack([hits[targets == digit].mean() for digit in range(10)])
    return rates[~rates.isnan()]


hit_rates = Answer(
    hit_rates,
    mistakes=(
        of_those_guessed,
        of_all_images,
        counted,
        one_for_all,
        share_wrong,
        zero_for_none,
        one_for_none,
        only_those_shown,
    ),
    hints=(
        "`hits = (guesses == targets).float()` is 1 where a guess is right, and else 0. Its mean is the accuracy.",
        "`hits[targets == 3]` holds the elements of the images that show a 3. Compute the mean of these.",
        "Do this for each digit in `range(10)`, and join the ten means with `torch.stack([…])`. The mean of an "
        "empty tensor is NaN already.",
    ),
)


def ink(images):
    """The mean over height and width; the batch dimension stays."""
    return (images / 255).mean(dim=(1, 2))


def over_everything(images):
    """You averaged over all dimensions, which gives one number for the whole batch. Each image must have its
    own mean."""
    return (images / 255).mean()


def over_the_batch(images):
    """You averaged over dimension 0, which gives one mean image. Average over the other two dimensions."""
    return (images / 255).mean(dim=0)


def over_the_rows_only(images):
    """You averaged over the height only. `dim` takes several dimensions as a tuple."""
    return (images / 255).mean(dim=1)


def over_the_columns_only(images):
    """You averaged over the width only. `dim` takes several dimensions as a tuple."""
    return (images / 255).mean(dim=2)


def in_bytes(images):
    """The dimensions are right, but your means run from 0 to 255. Divide the pixels by 255, as in `to_unit`."""
    return images.float().mean(dim=(1, 2))


def summed(images):
    """You summed the pixels of each image, so a larger image gets a larger number. Compute the mean."""
    return (images / 255).sum(dim=(1, 2))


ink = Answer(
    ink,
    mistakes=(over_everything, over_the_batch, over_the_rows_only, over_the_columns_only, in_bytes, summed),
    hints=(
        "Scale first, as in exercise 2, because `mean` does not accept `uint8`.",
        "`x.mean()` averages over all dimensions. `x.mean(dim=0)` averages over the first dimension only.",
        "The shape (N, H, W) must become (N,), so average over the dimensions 1 and 2.",
    ),
)


def halvings(sizes):
    """One loop halves all elements; an element that is at most 1 is halved too, but no longer counted."""
    steps = torch.zeros(len(sizes), dtype=torch.long)
    above = sizes > 1
    while above.any():
        steps = steps + above
        sizes = sizes / 2
        above = sizes > 1
    return steps


def until_the_last_is_done(sizes):
    """You counted each iteration for all elements, until the largest was at most 1. Count it only for the
    elements that are above 1: add the comparison `sizes > 1`, not 1."""
    steps = torch.zeros(len(sizes), dtype=torch.long)
    while (sizes > 1).any():
        steps = steps + 1
        sizes = torch.where(sizes > 1, sizes / 2, sizes)
    return steps


def until_the_first_is_done(sizes):
    """Your loop stopped when the first element was at most 1. `all` is True while all elements are above 1, and
    `any` is True while at least one is."""
    steps = torch.zeros(len(sizes), dtype=torch.long)
    while len(sizes) and (sizes > 1).all():
        steps = steps + (sizes > 1)
        sizes = torch.where(sizes > 1, sizes / 2, sizes)
    return steps


def rounded_down(sizes):
    """An element between two powers of two got one halving too few. 3 must be halved twice (1.5, 0.75), but
    log2(3) = 1.58 was rounded down to 1."""
    return sizes.log2().floor().clamp(min=0).long()


def logarithm_up(sizes):
    """A logarithm in float32 is rounded. The logarithm of 16.000002, the next number above 16, rounds to 4, but
    16.000002 must be halved 5 times. Halve and count instead, because halving is exact."""
    return sizes.log2().ceil().clamp(min=0).long()


def cut_off(sizes):
    """Two counts are wrong. 3 must be halved twice and got 1, because `.long()` cuts log2(3) = 1.58 down to 1.
    Elements of 0.5 and less got negative counts."""
    return sizes.log2().long()


def below_zero(sizes):
    """Elements below 1 got negative counts, but their count is 0. (Also, a logarithm in float32 is rounded:
    16.000002 must be halved 5 times and got 4.)"""
    return sizes.log2().ceil().long()


def as_fractions(sizes):
    """The counts are right, but their dtype is float32. A count is an integer: use `dtype=torch.long`."""
    steps = torch.zeros(len(sizes))
    while (sizes > 1).any():
        steps = steps + (sizes > 1)
        sizes = sizes / 2
    return steps


def one_too_many(sizes):
    """The elements 1, 2, 4, 8 and so on got one halving too many. An element of exactly 1 is not above 1 and is
    not halved again, so the comparison is `> 1`, not `>= 1`."""
    steps = torch.zeros(len(sizes), dtype=torch.long)
    while (sizes >= 1).any():
        steps = steps + (sizes >= 1)
        sizes = torch.where(sizes >= 1, sizes / 2, sizes)
    return steps


def all_together(sizes):
    """You returned one count for the whole tensor. Each element has its own count, so the result has the shape
    `(N,)`."""
    steps = 0
    while (sizes > 1).any():
        sizes, steps = sizes / 2, steps + 1
    return steps


halvings = Answer(
    halvings,
    mistakes=(
        until_the_last_is_done,
        until_the_first_is_done,
        rounded_down,
        logarithm_up,
        cut_off,
        below_zero,
        as_fractions,
        one_too_many,
        all_together,
    ),
    hints=(
        "Start from `steps = torch.zeros(len(sizes), dtype=torch.long)`, and loop while *any* element is above 1.",
        "`sizes > 1` is a tensor of booleans, one for each element. If you add it to integers, True counts as 1.",
        "Halve with `sizes = sizes / 2`, which makes a new tensor. `sizes /= 2` would change the argument itself.",
    ),
)
