"""Questions of chapter 03: batches counted, a waveform of one length, colours put back, statistics in one pass."""

from collections.abc import Callable

import torch
import torch.nn.functional as F

from course_utils.checks.exercise import Exercise
from course_utils.checks.snapshot import snapshot


def sizes_of_epochs(seed: int) -> list[tuple]:
    """Return the arguments (samples, batch_size, drop_last) of each case.

    With a rest, without one, nothing, fewer than a batch, one by one, many.
    """
    draw = torch.Generator().manual_seed(seed)
    samples, batch_size = (int(n) for n in torch.randint(50, 90, (2,), generator=draw))
    return [
        (10, 4, False),
        (10, 4, True),
        (12, 4, False),
        (12, 4, True),
        (0, 4, False),
        (3, 4, True),
        (3, 4, False),
        (samples, 1, True),
        (samples * batch_size + 1, batch_size, False),
        (9, 4, True),
        (1000 * samples + 1, 7, True),
    ]


def number_and_class(answer: Callable, *arguments: object) -> dict:
    """Return what an answer gives, and of which class: 3.0 and a tensor with a 3 count as 3 otherwise."""
    count = answer(*arguments)
    return {"the number of batches": count, "its class": type(count).__name__}


def batch_count(samples, batch_size, drop_last):
    """The full batches, and one more for a rest that is kept."""
    full, rest = divmod(samples, batch_size)
    return full + 1 if rest and not drop_last else full


def always_rounded_down(samples, batch_size, drop_last):
    """You always rounded down: the rest of 10 samples by 4 is a batch of 2, unless `drop_last` throws it away."""
    return samples // batch_size


def always_rounded_up(samples, batch_size, drop_last):
    """You always rounded up: with `drop_last` a rest that fills no batch is left out."""
    return -(-samples // batch_size)


def one_more_even_without_a_rest(samples, batch_size, drop_last):
    """You added a batch for the rest even where there is none: 12 samples by 4 are three batches, not four."""
    return samples // batch_size + (0 if drop_last else 1)


def flag_turned_round(samples, batch_size, drop_last):
    """You turned `drop_last` round: True means that the incomplete batch is left out."""
    return -(-samples // batch_size) if drop_last else samples // batch_size


def a_fraction_of_a_batch(samples, batch_size, drop_last):
    """`/` gives a fraction: nobody delivers 2.5 batches. Count whole ones."""
    return samples / batch_size


batch_count = Exercise(
    batch_count,
    inputs=sizes_of_epochs,
    probe=number_and_class,
    mistakes=(
        always_rounded_down,
        always_rounded_up,
        one_more_even_without_a_rest,
        flag_turned_round,
        a_fraction_of_a_batch,
    ),
    hints=(
        "Do 10 samples by 4 and 12 samples by 4 by hand, each with and without `drop_last`.",
        "`samples // batch_size` counts the full batches, `samples % batch_size` what is left over.",
        "One more batch, if something is left over *and* it is not to be dropped.",
    ),
)


def waveforms(seed: int) -> list[tuple]:
    """Return the arguments (waveform, length) of each case.

    Longer by three, one and two, shorter, equal, two channels, one sample, much longer. Longer by two is where
    unequal chances show best: a rounded fraction gives 1 : 2 : 1. Of no channel are two samples equal, two
    waveforms are transposed, as from soundfile, and two are not float32.
    """
    draw = torch.Generator().manual_seed(seed)

    def samples(*shape):
        count = torch.arange(1, 1 + shape[0] * shape[1]).reshape(shape)
        return (count + torch.rand(shape, generator=draw) / 2) / count.numel()

    return [
        (samples(1, 8), 5),
        (samples(1, 6), 5),
        (samples(1, 7), 5),
        (samples(1, 3), 5),
        (samples(1, 5), 5),
        (samples(7, 2).T, 4),
        (samples(4, 2).T.double(), 9),
        ((1000 * samples(1, 1)).short(), 3),
        (samples(1, 3000), 4),
    ]


def cut_many_times(answer: Callable, waveform: torch.Tensor, length: int) -> dict:
    """Drive an answer with seeded generators: the padded waveform, or a piece and how the starts are drawn."""
    surplus = waveform.shape[1] - length
    generator, shared = torch.Generator().manual_seed(1), torch.get_rng_state()
    before = generator.get_state()
    first = snapshot(answer(waveform, length, generator))
    if surplus <= 0:
        return first
    found = {
        "shape and dtype of a piece": torch.zeros_like(first) if isinstance(first, torch.Tensor) else first,
        "PyTorch's own generator left alone": torch.equal(shared, torch.get_rng_state()),
        "`generator` drawn from": not torch.equal(before, generator.get_state()),
        "the starts that came": None,
        "each as often as another": None,
        "the same again from the same seed": None,
    }
    if not found["PyTorch's own generator left alone"]:
        return found  # many draws would take long: seeding that generator notes who did it
    places = {value: at for at, value in enumerate(waveform[0].tolist())}

    def start(piece):
        """Where in the waveform the piece begins; -1 where it is no piece of it."""
        piece = piece if type(piece) is torch.Tensor else snapshot(piece)
        if not isinstance(piece, torch.Tensor) or (piece.shape, piece.dtype) != (shape, waveform.dtype):
            return -1
        at = places.get(piece[0, 0].item(), -1)
        return at if torch.equal(piece, waveform[:, at : at + length]) else -1

    shape = torch.Size((len(waveform), length))
    generator, other = (torch.Generator().manual_seed(2) for _ in range(2))
    starts = [start(answer(waveform, length, generator)) for _ in range(70)]
    again = [start(answer(waveform, length, other)) for _ in range(15)]
    found["the same again from the same seed"] = again == starts[:15]
    many, came = surplus > 99, sorted(set(starts))
    named = sorted(
        {"no piece of it" if at < 0 else str(1 + 4 * at // (surplus + 1) if many else at) for at in came}
    )
    among = "in quarters " if many and len(came) > 1 else "only " if len(came) == 1 and came[0] >= 0 else ""
    found["the starts that came"] = among + ", ".join(named if len(came) > 1 or came[0] < 0 else map(str, came))
    if surplus == 2 and came == [0, 1, 2]:
        # 200 each, 12 more or less: of a million right answers one would be 60 away, a rounding one is 100 away.
        starts += [start(answer(waveform, length, generator)) for _ in range(530)]
        counts = [starts.count(at) for at in came]
        even = all(abs(count - 200) < 60 for count in counts)
        found["each as often as another"] = "yes" if even else f"{counts} times"
    return found


def fit_length(waveform, length, generator):
    """Every start from 0 to `surplus` can be drawn, both included; zeros go behind what is too short."""
    surplus = waveform.shape[1] - length
    if surplus < 0:
        return F.pad(waveform, (0, -surplus))
    start = torch.randint(surplus + 1, (), generator=generator)
    return waveform[:, start : start + length]


def always_the_beginning(waveform, length, generator):
    """You always keep the beginning: a model would never hear how a long word ends. Draw the start."""
    return F.pad(waveform, (0, max(0, length - waveform.shape[1])))[:, :length]


def never_the_end(waveform, length, generator):
    """The upper end of `randint` is excluded: with `surplus` there, the last sample is never heard. Add 1."""
    surplus = waveform.shape[1] - length
    if surplus <= 0:
        return F.pad(waveform, (0, -surplus))
    start = torch.randint(surplus, (), generator=generator)
    return waveform[:, start : start + length]


def chance_of_its_own(waveform, length, generator):
    """The crop is random, but you never hand `generator` to `randint`: the same seed gives another crop."""
    surplus = waveform.shape[1] - length
    if surplus <= 0:
        return F.pad(waveform, (0, -surplus))
    start = torch.randint(surplus + 1, ())
    return waveform[:, start : start + length]


def zeros_in_front(waveform, length, generator):
    """You put the zeros in front. `F.pad(x, (left, right))`: the task wants them behind, so `(0, missing)`."""
    surplus = waveform.shape[1] - length
    if surplus <= 0:
        return F.pad(waveform, (-surplus, 0))
    start = torch.randint(surplus + 1, (), generator=generator)
    return waveform[:, start : start + length]


def more_channels(waveform, length, generator):
    """You padded the channels. `F.pad` counts its pairs from the *last* axis, so time is the first pair."""
    surplus = waveform.shape[1] - length
    if surplus <= 0:
        return F.pad(waveform, (0, 0, 0, -surplus))
    start = torch.randint(surplus + 1, (), generator=generator)
    return waveform[:, start : start + length]


def said_twice(waveform, length, generator):
    """You filled up by repeating the sound: the model would hear a word twice. Silence is zeros."""
    if waveform.shape[1] <= length:
        return waveform.repeat(1, -(-length // waveform.shape[1]))[:, :length]
    start = torch.randint(waveform.shape[1] - length + 1, (), generator=generator)
    return waveform[:, start : start + length]


def left_long(waveform, length, generator):
    """Short ones are padded, but long ones stay long: a batch needs one length for all."""
    return F.pad(waveform, (0, max(0, length - waveform.shape[1])))


fit_length = Exercise(
    fit_length,
    inputs=waveforms,
    probe=cut_many_times,
    mistakes=(
        always_the_beginning,
        never_the_end,
        chance_of_its_own,
        zeros_in_front,
        more_channels,
        said_twice,
        left_long,
    ),
    hints=(
        "`surplus = waveform.shape[1] - length` tells the two cases apart: too short, or long enough.",
        "`F.pad(waveform, (left, right))` adds zeros along the last axis.",
        "A start is one of 0, 1, …, surplus: that is surplus + 1 possibilities for `torch.randint`.",
        "`torch.randint(high, (), generator=generator)` draws one whole number below `high`.",
    ),
)


def normalised_batches(seed: int) -> list[tuple]:
    """Return the arguments (images, mean, std) of each case.

    Width 3 (a trap), ordinary, square of three, one picture, none, one channel, float64.
    """
    draw = torch.Generator().manual_seed(seed)
    shapes = ((2, 3, 4, 3), (3, 3, 5, 4), (3, 3, 3, 3), (1, 3, 2, 6), (0, 3, 4, 4), (2, 1, 4, 4), (2, 3, 2, 5))
    cases = [
        (
            torch.randn(shape, generator=draw),
            torch.rand(shape[1], generator=draw) * 0.5 + 0.2,
            torch.rand(shape[1], generator=draw) * 0.3 + 0.1,
        )
        for shape in shapes
    ]
    return [*cases[:-1], tuple(tensor.double() / 3 for tensor in cases[-1])]


def unnormalize(images, mean, std):
    """The inverse of (x − mean) / std, undone in the opposite order, along the channels."""
    return images * std[:, None, None] + mean[:, None, None]


def along_the_width(images, mean, std):
    """Shapes are matched from the *last* axis: your three numbers met the width, not the channels. Where the width
    happens to be 3, nobody complains. Give `mean` and `std` two axes more: `mean[:, None, None]`."""
    return images * std + mean


def along_the_height(images, mean, std):
    """One axis more is not enough: `(C, 1)` meets height and width. The channels are third from the end, so two are
    needed: `mean[:, None, None]`."""
    return images * std[:, None] + mean[:, None]


def in_the_same_order(images, mean, std):
    """Undo in the opposite order: `Normalize` subtracts, then divides; so multiply first and add afterwards."""
    return (images + mean[:, None, None]) * std[:, None, None]


def normalised_again(images, mean, std):
    """You normalised a second time: subtract and divide is the way in, multiply and add the way back."""
    return (images - mean[:, None, None]) / std[:, None, None]


def forgot_the_mean(images, mean, std):
    """You scaled back and forgot to add the mean: the picture stays too dark."""
    return images * std[:, None, None]


def divided_back(images, mean, std):
    """You divide by `std` once more: what was divided must be multiplied to come back."""
    return images / std[:, None, None] + mean[:, None, None]


unnormalize = Exercise(
    unnormalize,
    inputs=normalised_batches,
    mistakes=(
        along_the_width,
        along_the_height,
        in_the_same_order,
        normalised_again,
        forgot_the_mean,
        divided_back,
    ),
    hints=(
        "`Normalize` computes z = (x − mean) / std. Solve for x on paper.",
        "x = z · std + mean, in this order.",
        "`mean` has the shape (C,), the pictures (N, C, H, W): `mean[:, None, None]` is (C, 1, 1), which fits.",
    ),
)


def byte_batches(seed: int) -> list[tuple]:
    """Return batches of uint8 pictures (N, C, H, W) of unequal sizes.

    Two, four, one, grey, dark and bright, many. Then sizes that change with the batch, each byte as the one
    colour of a channel, two colours that hardly differ, and more bright pixels than int32 holds the squares of.
    """
    draw = torch.Generator().manual_seed(seed)

    def batch(*shape, low=0, high=256):
        return torch.randint(low, high, shape, generator=draw, dtype=torch.uint8)

    return [
        (batch(4, 3, 2, 2), batch(1, 3, 2, 2, low=128)),
        tuple(batch(n, 3, 3, 5, low=40 * n) for n in (3, 3, 1, 2)),
        (batch(2, 2, 1, 3),),
        (batch(3, 1, 4, 4), batch(5, 1, 4, 4, high=60)),
        (batch(2, 3, 2, 2, high=20), batch(6, 3, 2, 2, low=236)),
        (batch(64, 3, 8, 8), batch(17, 3, 8, 8)),
        (batch(2, 3, 4, 6, high=90), batch(3, 3, 2, 2, low=90)),
        tuple(torch.arange(256, dtype=torch.uint8).view(1, 256, 1, 1).expand(n, -1, 3, 5) for n in (2, 1)),
        (batch(8, 1, 8, 8, low=249, high=251), batch(5, 1, 8, 8, low=249, high=251)),
        (batch(1, 1, 200, 220, low=236),),
    ]


def one_by_one(answer: Callable, *batches: torch.Tensor) -> dict:
    """Hand the batches over as an iterator: there is no second pass."""
    stats = answer(iter(batches))
    kind = "tuple" if isinstance(stats, tuple) else type(stats).__name__
    mean, deviation = stats if isinstance(stats, (tuple, list)) and len(stats) == 2 else (None, None)
    what = f"{kind} of {len(stats)}" if isinstance(stats, (tuple, list)) else kind
    return {"what comes back": what if stats is not None else None, "mean": mean, "standard deviation": deviation}


def channel_stats(batches):
    """Count, sum and sum of squares are all that one pass must carry; float64, as the squares become many."""
    count = total = squares = 0
    for images in batches:
        pixels = images.double() / 255
        count = count + pixels[:, 0].numel()
        total = total + pixels.sum(dim=(0, 2, 3))
        squares = squares + pixels.square().sum(dim=(0, 2, 3))
    mean = total / count
    variance = (squares / count - mean**2).clamp(min=0)  # rounding may leave one colour just below 0
    return mean.float(), variance.sqrt().float()


def _whole(batches):
    """All pixels by channel, (C, number of pixels), as fractions."""
    return torch.cat([images.double().transpose(0, 1).flatten(1) for images in batches], dim=1) / 255


def mean_of_the_batches(batches):
    """You averaged the batches' means and deviations. A short last batch then counts as much as a full one, and the
    deviation *between* the batches is lost. Add up sums and squares, and divide once at the end."""
    stats = [_whole([images]) for images in batches]
    means, stds = zip(*((x.mean(1), x.std(1, correction=0)) for x in stats), strict=True)
    return torch.stack(means).mean(0).float(), torch.stack(stds).mean(0).float()


def squared_as_bytes(batches):
    """You squared bytes: 20 · 20 = 400 wraps round to 144. Turn them into fractions first, then square."""
    batches = list(batches)
    mean = _whole(batches).mean(1)
    squares = (_whole([images.square() for images in batches]) * 255).mean(1) / 255**2
    return mean.float(), (squares - mean**2).clamp(min=0).sqrt().float()


def over_the_channels_too(batches):
    """You averaged over the channels as well: red, green and blue have each their own mean. Leave dim 1 out."""
    pixels = _whole(batches)
    return pixels.mean().float(), pixels.std(correction=0).float()


def still_in_bytes(batches):
    """The axes are right, but your numbers run from 0 to 255: the pictures are scaled to 0…1 before they are
    normalised, so their statistics must be, too."""
    pixels = _whole(batches) * 255
    return pixels.mean(1).float(), pixels.std(1, correction=0).float()


def one_less(batches):
    """You divided by n − 1, as for a random sample. These are all the pixels there are: divide by n
    (`correction=0`)."""
    pixels = _whole(batches)
    return pixels.mean(1).float(), pixels.std(1).float()


def the_variance(batches):
    """Your second value is the variance. The standard deviation is its square root."""
    pixels = _whole(batches)
    return pixels.mean(1).float(), pixels.var(1, correction=0).float()


def the_last_batch_only(batches):
    """You overwrote the sums in every lap: only the last batch is left. Add to them."""
    *_, last = batches
    pixels = _whole([last])
    return pixels.mean(1).float(), pixels.std(1, correction=0).float()


channel_stats = Exercise(
    channel_stats,
    inputs=byte_batches,
    probe=one_by_one,
    mistakes=(
        mean_of_the_batches,
        squared_as_bytes,
        over_the_channels_too,
        still_in_bytes,
        one_less,
        the_variance,
        the_last_batch_only,
    ),
    hints=(
        "Three numbers per channel travel along: how many pixels, their sum, the sum of their squares.",
        "`pixels.sum(dim=(0, 2, 3))` adds up everything but the channels.",
        "At the end: mean = sum / n, and variance = (sum of squares) / n − mean². Rounding may leave it below 0.",
        "Work in float64 (`images.double() / 255`) and return float32 (`.float()`).",
    ),
)
