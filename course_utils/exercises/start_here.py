"""Questions of chapter 00: a dtype, a scale, a mean, a driver's version, a batch of while loops."""

import torch

from course_utils.checks.exercise import Exercise


def half_dtype():
    """Dividing whole numbers gives fractions, and PyTorch's default type for fractions is 32-bit."""
    return torch.float32


def kept_whole_numbers():
    """`/` never keeps whole numbers: 1 / 2 is 0.5, which int64 cannot hold. (`//` would keep int64.)"""
    return torch.int64


def as_in_python():
    """Python's own float and NumPy's default have 64 bits; PyTorch's default has 32: half the memory."""
    return torch.float64


half_dtype = Exercise(
    half_dtype,
    mistakes=(kept_whole_numbers, as_in_python),
    hints=(
        "Make the tensor in a cell of your own (press Esc, then B, for an empty one) and look at its `.dtype`.",
        "The answer is one of PyTorch's types, written like `torch.int64`, without quotes.",
        "1 / 2 is a fraction, so int64 is out. Which float did `torch.tensor([1.0])` have above?",
    ),
)


def batches_of_bytes(seed: int) -> list[tuple]:
    """Return batches of grey pictures, uint8: one, several, none, a dark one without a white pixel, not square."""
    draw = torch.Generator().manual_seed(seed)
    shapes = ((2, 3, 4), (1, 28, 28), (5, 4, 3), (0, 28, 28))
    batches = [torch.randint(0, 256, shape, generator=draw, dtype=torch.uint8) for shape in shapes]
    dark = torch.randint(1, 100, (3, 2, 6), generator=draw, dtype=torch.uint8)
    return [(images,) for images in (*batches, dark)]


def to_unit(images):
    """Bytes 0…255 as fractions 0…1; `/` turns whole numbers into float32 by itself."""
    return images / 255


def divided_whole(images):
    """`//` keeps whole numbers: all pixels below 255 become 0, and grey is lost. You want `/`."""
    return images // 255


def changed_the_type_only(images):
    """The type is right now, but the values still run from 0 to 255. Divide them as well."""
    return images.float()


def divided_by_the_brightest(images):
    """You divided by the brightest pixel found, so a dark picture comes out as bright as a light one. 255 is the
    largest byte: the same scale for every picture."""
    return images / images.max() if images.numel() else images / 255


def divided_by_256(images):
    """A byte has 256 values, but the largest is 255: divided by 256, white is not 1."""
    return images / 256


to_unit = Exercise(
    to_unit,
    inputs=batches_of_bytes,
    mistakes=(
        divided_whole,
        changed_the_type_only,
        divided_by_the_brightest,
        divided_by_256,
    ),
    hints=(
        "Look at one case by hand: `ex.to_unit.example()` is the tuple of arguments of the first input.",
        "One operation is enough, and you have met it in exercise 1: what did `/` do to whole numbers?",
        "The brightest byte, 255, must become 1.0.",
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


ink = Exercise(
    ink,
    inputs=batches_of_bytes,
    mistakes=(over_everything, over_the_batch, over_the_rows_only, over_the_columns_only, in_bytes, summed),
    hints=(
        "Scale first, as in the last exercise; `mean` refuses bytes.",
        "`x.mean()` averages over every axis. `x.mean(dim=0)` averages over the first axis only.",
        "Shape in (N, H, W), shape out (N,): the axes to average over are 1 and 2.",
    ),
)


def builds_and_drivers(seed: int) -> list[tuple]:
    """Return pairs of CUDA versions as text.

    Equal, newer, older, two-digit against one-digit, and None for neither.
    """
    draw = torch.Generator().manual_seed(seed)
    major, minor = (int(n) for n in torch.randint(2, 9, (2,), generator=draw))
    return [
        ("13.0", "12.8"),
        ("12.8", "12.2"),
        ("12.6", "13.0"),
        (f"1{major}.{minor}", f"1{major}.{minor}"),
        (f"1{major}.0", f"1{major - 1}.{minor}"),
        (f"1{major}.{minor}", f"1{major}.0"),
        ("10.2", "9.2"),
        ("9.2", "12.0"),
        (None, "13.0"),
        ("13.0", None),
        (None, None),
    ]


def driver_fits(build, driver):
    """Within one major version an older driver will do; across major versions it must not be older."""
    if build is None or driver is None:
        return False
    return int(driver.split(".")[0]) >= int(build.split(".")[0])


def must_be_equal(build, driver):
    """You ask for equal versions. A driver also runs what was built for an older CUDA: 12.6 on 13.0 works."""
    return build is not None and build == driver


def same_major_only(build, driver):
    """You ask for the same major version. A newer driver also runs older builds: 12.6 on 13.0 works."""
    if build is None or driver is None:
        return False
    return int(driver.split(".")[0]) == int(build.split(".")[0])


def compared_text(build, driver):
    """You compared text, letter by letter: as text "9.2" is larger than "10.2". Turn the major version into a
    number."""
    return build is not None and driver is not None and driver >= build


def compared_major_text(build, driver):
    """You took the major versions, but as text: "9" is larger than "10". Wrap them in `int`."""
    if build is None or driver is None:
        return False
    return driver.split(".")[0] >= build.split(".")[0]


def minor_version_counted(build, driver):
    """You compared the minor version too. Within one major version an older driver will do: 12.8 runs on 12.2."""
    if build is None or driver is None:
        return False
    return [int(part) for part in driver.split(".")] >= [int(part) for part in build.split(".")]


def the_wrong_way_round(build, driver):
    """The wrong way round: a new driver runs old builds, an old driver does not run new ones."""
    if build is None or driver is None:
        return False
    return int(build.split(".")[0]) >= int(driver.split(".")[0])


def forgot_the_missing_driver(build, driver):
    """A build for CUDA without any driver (None) cannot use a GPU: the answer is False there."""
    if build is None:
        return False
    return driver is None or int(driver.split(".")[0]) >= int(build.split(".")[0])


driver_fits = Exercise(
    driver_fits,
    inputs=builds_and_drivers,
    mistakes=(
        must_be_equal,
        same_major_only,
        compared_text,
        compared_major_text,
        minor_version_counted,
        the_wrong_way_round,
        forgot_the_missing_driver,
    ),
    hints=(
        "Begin with the two cases without a GPU: either argument may be None.",
        'Only the part before the dot counts: `"12.8".split(".")[0]` is `"12"`.',
        'Compare numbers, not text: `int("9") < int("10")`, but `"9" > "10"`.',
    ),
)


def positive_sizes(seed: int) -> list[tuple]:
    """Return positive numbers.

    By hand, many at once, none, nothing to do, one large, a little over what halves evenly.
    """
    draw = torch.Generator().manual_seed(seed)
    spread = torch.exp(4 * torch.randn(20, generator=draw))
    small = torch.rand(4, generator=draw) * 0.9 + 0.05
    return [
        (torch.tensor([0.5, 1.0, 3.0, 8.0]),),
        (spread,),
        (torch.empty(0),),
        (small,),
        (torch.tensor([1000.0]),),
        (torch.tensor([1.0001, 1.1, 2.001, 4.5, 64.5]),),
    ]


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
    """You rounded the logarithm down: 3 needs two halvings (1.5, 0.75), and log2(3) is 1.58. Round up."""
    return sizes.log2().floor().clamp(min=0).long()


def cut_off(sizes):
    """`.long()` cuts the fraction off: log2(3) = 1.58 becomes 1, but 3 needs two halvings. Round up first."""
    return sizes.log2().long()


def below_zero(sizes):
    """Sizes below 1 need no halving: your logarithm is negative there. Stop at 0."""
    return sizes.log2().ceil().long()


def as_fractions(sizes):
    """The numbers are right, but they are float32. A count is a whole number: `dtype=torch.long`."""
    return sizes.log2().ceil().clamp(min=0) + 0.0


def one_too_many(sizes):
    """A size of exactly 1 is not above 1: it needs no halving. Ask `> 1`, not `>= 1`."""
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


halvings = Exercise(
    halvings,
    inputs=positive_sizes,
    mistakes=(
        until_the_last_is_done,
        until_the_first_is_done,
        rounded_down,
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
