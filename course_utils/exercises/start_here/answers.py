"""Our answers to the questions of chapter 00: references, known mistakes and hints.

The docstring of a mistake is what a learner reads who makes it. A submission that is graded never sees this file.
"""

import torch

from lessonkit.checks.answer import Answer


def half_dtype():
    """Dividing whole numbers gives fractions, and PyTorch's default type for fractions is 32-bit."""
    return torch.float32


def kept_whole_numbers():
    """`/` never keeps whole numbers: 1 / 2 is 0.5, which int64 cannot hold. (`//` would keep int64.)"""
    return torch.int64


def as_in_python():
    """Python's own float and NumPy's default have 64 bits; PyTorch's default has 32: half the memory."""
    return torch.float64


def half_precision():
    """float16 is called *half precision*, but it is not what a division gives: PyTorch's default has 32 bits."""
    return torch.float16


def quoted():
    """The right type, but as text. A dtype is an object of PyTorch's: leave the quotes away."""
    return "torch.float32"


def quoted_without_torch():
    """The right type's short name, as text. A dtype is an object of PyTorch's: write `torch.float32`, no quotes."""
    return "float32"


def the_quotient_itself():
    """That is the quotient. The question asks for its type, which is `.dtype` of the quotient."""
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
        "Make the tensor in a cell of your own and look at its `.dtype`: press Esc, then B, then Enter.",
        "The answer is one of PyTorch's types, written like `torch.int64`, without quotes.",
        "1 / 2 is a fraction, so int64 is out. Ask `torch.tensor([0.5]).dtype`: which type has a half?",
    ),
)


def to_unit(images):
    """Bytes 0…255 as fractions 0…1; `/` turns whole numbers into float32 by itself."""
    return images / 255


def divided_whole(images):
    """These are whole numbers again: every pixel below 255 has become 0, and grey is lost. `//` does that, and so
    does a change back to bytes after `/`."""
    return images // 255


def changed_the_type_only(images):
    """The type is right now, but the values still run from 0 to 255. Divide them as well."""
    return images.float()


def divided_by_the_brightest(images):
    """You divided by the brightest pixel found, so a dark picture comes out as bright as a light one. 255 is the
    largest byte: the same scale for every picture."""
    return images / images.max() if images.numel() else images / 255


def divided_by_each_brightest(images):
    """You divided each picture by its own brightest pixel, so a dark picture comes out as bright as a light one,
    and a black one as NaN. 255 is the largest byte: the same scale for every picture."""
    return images / images.amax(dim=(-2, -1), keepdim=True)


def divided_by_256(images):
    """A byte has 256 values, but the largest is 255: divided by 256, white is not 1."""
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
        "Look at one case by hand: `ex.to_unit.example()` is the tuple of arguments of the first input.",
        "One operation is enough, and you have met it in exercise 1: what did `/` do to whole numbers?",
        "The brightest byte, 255, must become 1.0.",
    ),
)


def hit_rates(guesses, targets):
    """Among the pictures that show a digit, the mean of *right* (1) and *wrong* (0); of none it is NaN."""
    hits = (guesses == targets).float()
    return torch.stack([hits[targets == digit].mean() for digit in range(10)])


def of_those_guessed(guesses, targets):
    """You divided by how often a digit was *guessed*. Asked is the share of the pictures that *show* it: what
    counts is `targets == digit`."""
    hits = (guesses == targets).float()
    return torch.stack([hits[guesses == digit].mean() for digit in range(10)])


def of_all_pictures(guesses, targets):
    """You divided by the number of all pictures. The share is one of the pictures that show the digit, so that ten
    digits without a mistake would each get 1."""
    hits = guesses == targets
    return torch.stack([(hits & (targets == digit)).float().sum() / len(targets) for digit in range(10)])


def counted(guesses, targets):
    """These are numbers of hits. Divide each by the number of pictures that show the digit."""
    hits = (guesses == targets).float()
    return torch.stack([hits[targets == digit].sum() for digit in range(10)])


def one_for_all(guesses, targets):
    """That is one share for all digits together. Asked are ten, one for each digit: shape (10,)."""
    return (guesses == targets).float().mean()


def share_wrong(guesses, targets):
    """That is the share guessed *wrong*. Asked is the share guessed right: 1 minus it."""
    misses = (guesses != targets).float()
    return torch.stack([misses[targets == digit].mean() for digit in range(10)])


def zero_for_none(guesses, targets):
    """A digit that no picture shows got 0, as if it had been guessed wrong. Nothing is known of it: NaN, which is
    what 0 / 0 and the mean of nothing give."""
    hits = (guesses == targets).float()
    return torch.stack([hits[targets == digit].mean() for digit in range(10)]).nan_to_num(0.0)


def one_for_none(guesses, targets):
    """A digit that no picture shows got 1, as if it had been guessed right. Nothing is known of it: NaN, which is
    what 0 / 0 and the mean of nothing give."""
    hits = (guesses == targets).float()
    return torch.stack([hits[targets == digit].mean() for digit in range(10)]).nan_to_num(1.0)


def only_those_shown(guesses, targets):
    """You left out the digits that no picture shows, so a reader cannot tell which share is whose. There are always
    ten; that of such a digit is NaN."""
    hits = (guesses == targets).float()
    rates = torch.stack([hits[targets == digit].mean() for digit in range(10)])
    return rates[~rates.isnan()]


hit_rates = Answer(
    hit_rates,
    mistakes=(
        of_those_guessed,
        of_all_pictures,
        counted,
        one_for_all,
        share_wrong,
        zero_for_none,
        one_for_none,
        only_those_shown,
    ),
    hints=(
        "`hits = (guesses == targets).float()` is 1 where a guess is right, and 0 elsewhere. Its mean is a share.",
        "`hits[targets == 3]` are the hits among the pictures that show a 3. Of these, take the mean.",
        "Do so for each digit in `range(10)` and put the ten means together with `torch.stack([…])`. The mean of "
        "an empty tensor is NaN by itself.",
    ),
)


def ink(images):
    """Mean over height and width; the batch axis stays."""
    return (images / 255).mean(dim=(1, 2))


def over_everything(images):
    """You averaged over everything: one number for the whole batch. Each picture keeps its own mean."""
    return (images / 255).mean()


def over_the_batch(images):
    """You averaged over dim 0, the pictures: what is left is one mean picture. Average over the other two axes."""
    return (images / 255).mean(dim=0)


def over_the_rows_only(images):
    """You averaged over one axis of the picture and left the other: `dim` takes several axes, as a tuple."""
    return (images / 255).mean(dim=1)


def over_the_columns_only(images):
    """You averaged each row and kept the rows: `dim` takes several axes, as a tuple."""
    return (images / 255).mean(dim=2)


def in_bytes(images):
    """The axes are right, the unit is not: your means run from 0 to 255. Scale to 0…1 as in `to_unit`."""
    return images.float().mean(dim=(1, 2))


def summed(images):
    """You summed the pixels of each picture: a large picture would count as a bright one. Take the mean."""
    return (images / 255).sum(dim=(1, 2))


ink = Answer(
    ink,
    mistakes=(over_everything, over_the_batch, over_the_rows_only, over_the_columns_only, in_bytes, summed),
    hints=(
        "Scale first, as in exercise 2; `mean` refuses bytes.",
        "`x.mean()` averages over every axis. `x.mean(dim=0)` averages over the first axis only.",
        "Shape in (N, H, W), shape out (N,): the axes to average over are 1 and 2.",
    ),
)


def halvings(sizes):
    """All sizes in one loop: halving one that is done does no harm, since it no longer counts."""
    steps = torch.zeros(len(sizes), dtype=torch.long)
    above = sizes > 1
    while above.any():
        steps = steps + above
        sizes = sizes / 2
        above = sizes > 1
    return steps


def until_the_last_is_done(sizes):
    """You counted every lap for everybody, until the largest was done. Each size stops by itself: add the
    comparison `sizes > 1`, not 1."""
    steps = torch.zeros(len(sizes), dtype=torch.long)
    while (sizes > 1).any():
        steps = steps + 1
        sizes = torch.where(sizes > 1, sizes / 2, sizes)
    return steps


def until_the_first_is_done(sizes):
    """You stopped as soon as one size was done: `all` asks whether every size is still above 1, `any` whether one
    is."""
    steps = torch.zeros(len(sizes), dtype=torch.long)
    while len(sizes) and (sizes > 1).all():
        steps = steps + (sizes > 1)
        sizes = torch.where(sizes > 1, sizes / 2, sizes)
    return steps


def rounded_down(sizes):
    """One too few between powers of two: 3 needs two halvings (1.5, 0.75), where the whole part of log2(3) = 1.58
    is one."""
    return sizes.log2().floor().clamp(min=0).long()


def logarithm_up(sizes):
    """Nearly: a logarithm in float32 is itself rounded. 16.000002, the next number above 16, has a log2 that rounds
    to 4, and needs 5 halvings. Halve and count instead: halving is exact."""
    return sizes.log2().ceil().clamp(min=0).long()


def cut_off(sizes):
    """Two things: 3 needs two halvings and got one, since `.long()` cuts off what follows the point in log2(3) =
    1.58; and sizes of a half and less got negative counts."""
    return sizes.log2().long()


def below_zero(sizes):
    """Sizes below 1 need no halving, and a count is never negative. (And a logarithm in float32 is itself rounded:
    16.000002 needs 5 halvings and got 4.)"""
    return sizes.log2().ceil().long()


def as_fractions(sizes):
    """The numbers are right, but they are float32. A count is a whole number: `dtype=torch.long`."""
    steps = torch.zeros(len(sizes))
    while (sizes > 1).any():
        steps = steps + (sizes > 1)
        sizes = sizes / 2
    return steps


def one_too_many(sizes):
    """Sizes of exactly 1, 2, 4, 8 and so on got one too many: what is exactly 1 is not above 1, and needs no more
    halving. (As a comparison: `> 1`, not `>= 1`.)"""
    steps = torch.zeros(len(sizes), dtype=torch.long)
    while (sizes >= 1).any():
        steps = steps + (sizes >= 1)
        sizes = torch.where(sizes >= 1, sizes / 2, sizes)
    return steps


def all_together(sizes):
    """You gave one count for the whole tensor. Every size has its own: shape in (N,), shape out (N,)."""
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
        "Start from `steps = torch.zeros(len(sizes), dtype=torch.long)`, and loop while *any* size is above 1.",
        "`sizes > 1` is a tensor of True and False, one per size. Added to whole numbers, True counts as 1.",
        "Halve with `sizes = sizes / 2`, a new tensor: `sizes /= 2` would alter the one you were given.",
    ),
)
