"""Questions of chapter 03: a data set with its packing, a split by speaker, statistics, a shared stream."""

import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import numpy
import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

from lessonkit.checks.exercise import Exercise
from lessonkit.checks.restrictions import no_call
from lessonkit.checks.wording import a, short


def clips_to_pack(seed: int) -> list[tuple]:
    """Return the arguments (waveforms, labels, longest) of each case.

    Ordinary ones; then zeros of their own, NaN and infinity, none of length 1 or more, whole numbers that are not
    contiguous and labels that float32 cannot hold, all too long, no waveform at all, float64 with a limit that
    nobody reaches, bfloat16, which NumPy does not know. Numbers and labels, negative ones too, that float64 cannot
    hold; a limit of 0; truth values; lengths that a byte and int16 cannot hold; more samples than a byte counts.
    """
    draw = torch.Generator().manual_seed(seed)

    def noise(*lengths):
        return [torch.randn(length, generator=draw) for length in lengths]

    def labels(count, top=10):
        return torch.randint(top, (count,), generator=draw).tolist()

    odd = [*noise(4, 2, 6, 5), torch.zeros(3)]
    odd[0][1:] = 0
    odd[2][:] = torch.tensor([0, math.nan, 1, math.inf, math.nan, 0])
    odd[3][:2] = 0
    odd[1][1] = -math.inf  # the last of a short one, which must not spread into the zeros behind it
    strided = [torch.randint(-9, 9, (2 * n, 2), generator=draw, dtype=torch.int16)[::2, 1] for n in (3, 7, 1, 0)]
    return [
        (noise(3, 5, 2, 4), labels(4), 4),
        (odd, labels(5), 5),
        ([torch.empty(0), torch.empty(0), *noise(2, 0)], labels(4), 3),
        (strided, labels(4, 2**40), 6),
        (noise(9, 8, 12), labels(3), 7),
        ([], [], 5),
        ([wave.double() / 3 for wave in noise(2, 6, 1, 5, 3, 4)], labels(6), 50),
        (noise(6), labels(1), 1),
        ([wave.bfloat16() for wave in noise(3, 1)], labels(2), 2),
        ([2**60 + torch.arange(n) for n in (2, 4, 1)], [-(2**62) - 1, 2**53 + 1, -1], 3),
        (noise(2, 0, 3), labels(3), 0),
        ([wave > 0 for wave in noise(4, 1, 3)], labels(3), 9),
        ([torch.randint(256, (n,), generator=draw, dtype=torch.uint8) for n in (300, 33_000)], labels(2), 40_000),
        (noise(*(i % 4 for i in range(300))), labels(300), 2),
    ]


def loaded(answer: Callable, waveforms: list, labels: list, longest: int) -> dict:
    """Ask the data set for its length, for each sample, and a loader for batches: neighbours, one alone, many.

    Another data set of other samples stands beside it, and none may know of the other.
    """
    clips = answer(waveforms, labels, longest)
    answer(waveforms[1:], labels[1:], longest + 1)
    found = {"len(clips)": len(clips)}
    for index in range(len(waveforms)):
        found[f"clips[{index}]"] = sample = clips[index]
        if not isinstance(sample, tuple):
            found[f"clips[{index}]"] = f"no tuple, but a {type(sample).__name__}"
        elif len(sample) == 2 and type(sample[1]) is not int:
            found[f"clips[{index}]"] = sample[0], f"a label that is no int, but a {type(sample[1]).__name__}"
    order = [list(range(len(waveforms)))[::-1][start : start + 3] for start in range(0, len(waveforms), 3)]
    order += [[index] for index in range(min(len(waveforms), 9))]
    order += [[0, 0], [*range(len(waveforms))]] if waveforms else []
    memory = {wave.untyped_storage().data_ptr() for wave in waveforms if wave.numel()}
    for chosen, packed in zip(order, DataLoader(clips, batch_sampler=order, collate_fn=clips.collate), strict=True):
        parts, own = ("batch", "mask", "targets"), "its own: the batch is a copy"
        if isinstance(packed, tuple) and len(packed) == 3:
            packed = dict(zip(parts, packed, strict=True))
            batch = packed["batch"]
            if isinstance(batch, torch.Tensor) and batch.numel() and batch.untyped_storage().data_ptr() in memory:
                own = "shared with a waveform: what is done to the batch is done to it"
        found[f"collate of the samples {chosen}"] = packed
        found[f"collate of the samples {chosen}, the memory of the batch"] = own
    return found


class Clips(Dataset):
    """Cut where a sample is asked for, padded where samples meet."""

    def __init__(self, waveforms, labels, longest):
        self.waveforms, self.labels, self.longest = waveforms, labels, longest

    def __len__(self):
        return len(self.waveforms)

    def __getitem__(self, index):
        return self.waveforms[index][: self.longest], self.labels[index]

    def collate(self, samples):
        waveforms = [waveform for waveform, _ in samples]
        lengths = torch.tensor([len(waveform) for waveform in waveforms])
        batch = pad_sequence(waveforms, batch_first=True)
        mask = torch.arange(batch.shape[1]) < lengths[:, None]
        return batch, mask, torch.tensor([label for _, label in samples])


class Kept(Dataset):
    """The first half of an answer: what the mistakes in packing have in common."""

    def __init__(self, waveforms, labels, longest):
        self.waveforms, self.labels, self.longest = waveforms, labels, longest

    def __len__(self):
        return len(self.waveforms)

    def __getitem__(self, index):
        return self.waveforms[index][: self.longest], self.labels[index]


class Packed:
    """The second half: what the mistakes in cutting have in common."""

    def collate(self, samples):
        batch = pad_sequence([waveform for waveform, _ in samples], batch_first=True)
        mask = torch.zeros(batch.shape, dtype=torch.bool)
        for row, (waveform, _) in zip(mask, samples, strict=True):
            row[: len(waveform)] = True
        return batch, mask, torch.tensor([label for _, label in samples])


class PaddedToTheLimit(Kept, Packed):
    """You padded every batch to `longest`. Asked for is the length of the longest sample *in this batch*: a batch
    of short ones then stays small."""

    def collate(self, samples):
        batch, mask, targets = super().collate(samples)
        missing = (0, self.longest - batch.shape[1])
        return torch.nn.functional.pad(batch, missing), torch.nn.functional.pad(mask, missing), targets


class MaskFromTheValues(Kept, Packed):
    """Your mask asks which values are not 0. A sample may hold zeros of its own, silence for example: the mask has
    to come from the lengths."""

    def collate(self, samples):
        batch, _, targets = super().collate(samples)
        return batch, batch != 0, targets


class MaskTurnedRound(Kept, Packed):
    """Your mask is True where the padding is. Asked for is True where the sample's own values stand."""

    def collate(self, samples):
        batch, mask, targets = super().collate(samples)
        return batch, ~mask, targets


class EndsKept(Kept, Packed):
    """You kept the *last* `longest` values of a long waveform. Asked for are the first: `waveform[:longest]`."""

    def __getitem__(self, index):
        waveform = self.waveforms[index]
        return waveform[max(0, len(waveform) - self.longest) :], self.labels[index]


class NeverCut(Kept, Packed):
    """`longest` does nothing in your class: of a longer waveform only the first `longest` values are kept."""

    def __getitem__(self, index):
        return self.waveforms[index], self.labels[index]


class ZerosInFront(Kept, Packed):
    """You put the zeros in front of the samples; asked for is behind, the default of `pad_sequence`."""

    def collate(self, samples):
        waveforms, labels = zip(*samples, strict=True)
        batch = pad_sequence([waveform.flip(0) for waveform in waveforms], batch_first=True).flip(1)
        lengths = torch.tensor([len(waveform) for waveform in waveforms])
        mask = (torch.arange(batch.shape[1]) < lengths[:, None]).flip(1)
        return batch, mask, torch.tensor(labels)


class BatchAlongDimOne(Kept, Packed):
    """Your batch is (L, N), as `pad_sequence` makes it by default. Ask for `batch_first=True`."""

    def collate(self, samples):
        batch, mask, targets = super().collate(samples)
        return batch.T, mask, targets


class LabelsAsTheyCame(Kept, Packed):
    """Your targets are no tensor. The loader packs nothing behind a `collate_fn` of your own:
    `torch.tensor(labels)`."""

    def collate(self, samples):
        batch, mask, targets = super().collate(samples)
        return batch, mask, targets.tolist()


Clips = Exercise(
    Clips,
    inputs=clips_to_pack,
    probe=loaded,
    mistakes=(
        PaddedToTheLimit,
        MaskFromTheValues,
        MaskTurnedRound,
        EndsKept,
        NeverCut,
        ZerosInFront,
        BatchAlongDimOne,
        LabelsAsTheyCame,
    ),
    hints=(
        "`__init__` keeps the arguments, `__len__` and `__getitem__` are one line each: `waveform[:longest]`.",
        "In `collate`, `waveforms, labels = zip(*samples)` turns a list of pairs into a pair of tuples.",
        "`pad_sequence(waveforms, batch_first=True)` is the batch; the lengths make the mask, as above.",
        "`torch.arange(L) < lengths[:, None]` is (N, L): the first `lengths[i]` places of row i are True.",
    ),
)


def groups_to_split(seed: int) -> list[tuple]:
    """Return the arguments (groups, share) of each case.

    Six speakers; two groups and a share that rounds to none or to all; groups of very unequal size, in blocks; a
    half of five, which `round` makes two; so many that a `set` orders them by when they came; two of four, for the
    equal chances. Names that differ in capitals only, in blanks, in leading zeros, in how an accent is written:
    who sorts by less than the whole name leaves the rest to the `set`. Half of three, which `round` makes two, one
    of them empty; shares of 0 and 1; three of five, for the equal chances. Then some that are drawn.
    """
    draw, dice = torch.Generator().manual_seed(seed), random.Random(seed)

    def samples(names, count):
        first = [*names, *(names[int(i)] for i in torch.randint(len(names), (count,), generator=draw))]
        return [first[int(i)] for i in torch.randperm(len(first), generator=draw)]

    people = ["theo", "jackson", "nicolas", "george", "lucas", "yweweler"]
    return [
        (samples(people, 14), 0.3),
        (samples(["b", "a"], 3), 0.01),
        (samples(["a", "b"], 3), 0.99),
        (["z"] * 40 + ["y"] + ["x"] * 2 + ["w"], 0.25),
        (samples(list("ECADB"), 9), 0.5),
        ([f"p{i}" for i in torch.randperm(400, generator=draw).tolist()], 0.2),
        (samples(["d", "b", "c", "a"], 6), 0.5),
        *((samples(["".join(name) for name in itertools.product(*letters)], 9), 0.4) for letters in ALIKE),
        (samples(["", "x", "0"], 5), 0.5),
        (samples(["10", "9", "Zoë", "zoe"], 5), 0.0),
        (samples(["10", "9", "Zoë", "zoe"], 5), 1.0),
        (samples(list("vwxyz"), 7), 0.6),
        *(
            (samples([f"s{i}" for i in range(count)], 9), round(dice.randint(1, count - 1) / count, 3))
            for count in (dice.randint(7, 20) for _ in range(3))
        ),
    ]


ALIKE = (  # 64 names each, made of one of these at each place
    [("g", "G"), ("e", "E"), ("o", "O"), ("r", "R"), ("g", "G"), ("e", "E")],
    [[" " * n for n in range(8)], ["ada"], [" " * n for n in range(8)]],
    [["0" * n for n in range(16)], "1234"],
    [("\u00e9", "e\u0301")] * 6,
)


def split_often(answer: Callable, groups: list, share: float) -> dict:
    """Split with many seeds, in other orders and numbers: what does not hold is said in words."""
    names = sorted(set(groups))
    wanted = min(max(round(share * len(names)), 1), len(names) - 1)
    choices = math.comb(len(names), wanted)
    counted = 3 < len(names) < 6 and 1 < wanted < len(names) - 1
    seeds = (*range(120), *range(600, 600 * 121, 600))
    mean, kind = len(seeds) / choices, "pairs" if wanted == 2 else "choices"
    states_key = "the states of the global generators after a call"
    number_key = f"the number of groups in val, with share={share}"
    draw_key = f"how often the same groups went to val together, in {len(seeds)} seeds"
    expected = {
        "the number of samples": len(groups),
        states_key: "as before the call",
        "what comes back": "a tuple of list and list",
        "the type of an index": "an int",
        "the samples in the two lists": f"each of the {len(groups)} once",
        "the order of the indices": "increasing in each list",
        "the groups of the two lists": "each in one of them",
        number_key: f"{wanted} of {len(names)}",
        "a second call with the same seed": "the same groups in val",
        **{f"val for {name}": "the groups of val for `groups`" for name in other_lists(groups)},
        draw_key: f"each of the {choices} {kind} about {mean:.0f} times" if counted else "not counted here",
        "the two lists after further calls": "as they were returned",
    }
    before = states()
    split = answer(groups, share, 0)
    if touched := [name for name, state in states().items() if state != before[name]]:
        return expected | {states_key: f"the state of {touched[0]} is another than before"}
    if not (isinstance(split, tuple) and len(split) == 2 and all(isinstance(side, list) for side in split)):
        parts = [type(part).__name__ for part in split] if isinstance(split, (tuple, list)) else []
        what = f"a {type(split).__name__} of {' and '.join(parts)}" if parts else f"a {type(split).__name__}"
        return expected | {"what comes back": what}
    if fault := fault_of(split, len(groups)):
        return expected | fault
    train, val = ({groups[index] for index in side} for side in split)
    if train & val:
        return expected | {"the groups of the two lists": "one that is in both"}
    if len(val) != wanted:
        return expected | {number_key: f"{len(val)} of {len(names)}"}

    kept = [list(side) for side in split]

    def chosen(seed, order=groups):
        """The groups in val. Each text is made anew: nobody can tell them by where they lie in memory."""
        return tuple(sorted({order[i] for i in answer(["".join([*name]) for name in order], share, seed)[1]}))

    for seed in (1, 2, 3):
        if chosen(seed) != chosen(seed):
            return expected | {"a second call with the same seed": f"other groups in val, with seed {seed}"}
    for name, order in other_lists(groups).items():
        if seeds_apart := [seed for seed in (4, 5, 6) if chosen(seed, order) != chosen(seed)]:
            return expected | {f"val for {name}": f"other groups, with seed {seeds_apart[0]}"}
    found = dict(expected)
    if counted:  # of a million right answers one is refused
        draws = [chosen(seed) for seed in seeds]
        counts = {group: draws.count(group) for group in itertools.combinations(names, len(val))}
        rare, often = min(counts, key=counts.get), max(counts, key=counts.get)
        if counts[rare] < mean - 4.6 * mean**0.5 or counts[often] > mean + 6.4 * mean**0.5:
            times = [f"{' and '.join(group)} {counts[group]} times" for group in (rare, often)]
            found[draw_key] = ", ".join(times)
    if kept != list(split):
        found["the two lists after further calls"] = "altered by a later call"
    return found


def other_lists(groups: list) -> dict[str, list]:
    """Return lists of the same names, by what they differ in from `groups`: order, number, both."""
    return {
        "the same samples the other way round, `groups[::-1]`": groups[::-1],
        "the same samples in another order, `sorted(groups)`": sorted(groups),
        "the same samples in another order, `sorted(groups, reverse=True)`": sorted(groups, reverse=True),
        "the same names in another number of samples, `list(dict.fromkeys(groups))`": [*dict.fromkeys(groups)],
        "the same names, each once, from Z to A, `sorted(set(groups))[::-1]`": sorted(set(groups))[::-1],
    }


def states() -> dict:
    """The states of the global generators."""
    kind, keys, *rest = numpy.random.get_state()
    return {
        "torch": torch.get_rng_state().tolist(),
        "NumPy": (kind, keys.tobytes(), *rest),
        "random": random.getstate(),
    }


def fault_of(split: tuple, count: int) -> dict | None:
    """Say why two lists are no split of `count` samples, as an entry of the report, or None."""
    indices = [index for side in split for index in side]
    if other := [type(index) for index in indices if type(index) is not int]:
        return {"the type of an index": a(f"{other[0].__module__}.{other[0].__name__}".removeprefix("builtins."))}
    times = Counter(indices)
    absent = [f"sample {index} in none" for index in range(count) if not times[index]]
    doubled = [f"sample {index} {times[index]} times" for index in range(count) if times[index] > 1]
    foreign = [f"the index {index}" for index in indices if not 0 <= index < count]
    if said := foreign + doubled + absent:
        return {"the samples in the two lists": said[0]}
    for side in split:
        for one, other in itertools.pairwise(side):
            if one > other:
                return {"the order of the indices": f"not increasing: {one} stands before {other}"}
    return None


def split_by(groups, share, seed):
    """Draw among the *names*, sorted so that no order of files or of a set has a say."""
    names = sorted(set(groups))
    count = min(max(round(share * len(names)), 1), len(names) - 1)
    order = torch.randperm(len(names), generator=torch.Generator().manual_seed(seed)).tolist()
    held_out = {names[index] for index in order[:count]}
    val = [index for index, group in enumerate(groups) if group in held_out]
    return [index for index, group in enumerate(groups) if group not in held_out], val


def files_drawn(groups, share, seed):
    """You divided the samples, not the groups: then a group is on both sides, which is the leak that this split is
    to close."""
    order = torch.randperm(len(groups), generator=torch.Generator().manual_seed(seed)).tolist()
    count = round(share * len(groups))
    return sorted(order[count:]), sorted(order[:count])


def names_as_they_came(groups, share, seed):
    """You draw among the names in the order of their first sample. Another order of the files, and the same seed
    gives another split: sort the names first."""
    names = list(dict.fromkeys(groups))
    count = min(max(round(share * len(names)), 1), len(names) - 1)
    order = torch.randperm(len(names), generator=torch.Generator().manual_seed(seed)).tolist()
    held_out = {names[index] for index in order[:count]}
    val = [index for index, group in enumerate(groups) if group in held_out]
    return [index for index, group in enumerate(groups) if group not in held_out], val


def a_side_may_be_empty(groups, share, seed):
    """Your rounding may leave a side without a group: at least one belongs into val, and one stays in train."""
    names = sorted(set(groups))
    order = torch.randperm(len(names), generator=torch.Generator().manual_seed(seed)).tolist()
    held_out = {names[index] for index in order[: round(share * len(names))]}
    val = [index for index, group in enumerate(groups) if group in held_out]
    return [index for index, group in enumerate(groups) if group not in held_out], val


def always_the_first(groups, share, seed):
    """Your choice never changes, whatever the seed: draw the groups with a generator that has it."""
    names = sorted(set(groups))
    held_out = set(names[: min(max(round(share * len(names)), 1), len(names) - 1)])
    val = [index for index, group in enumerate(groups) if group in held_out]
    return [index for index, group in enumerate(groups) if group not in held_out], val


def sides_exchanged(groups, share, seed):
    """Your two lists are exchanged: the training comes first, and `share` is that of val."""
    names = sorted(set(groups))
    count = min(max(round(share * len(names)), 1), len(names) - 1)
    order = torch.randperm(len(names), generator=torch.Generator().manual_seed(seed)).tolist()
    held_out = {names[index] for index in order[:count]}
    val = [index for index, group in enumerate(groups) if group in held_out]
    return val, [index for index, group in enumerate(groups) if group not in held_out]


def no_hash(answer: Callable) -> str | None:
    """Refuse `hash`, by which the same seed gives another split in the next Python."""
    if no_call("hash", "__hash__")(answer):
        return "`hash` gives a text another number in each Python, so the same seed gives another split tomorrow."
    return None


split_by = Exercise(
    split_by,
    inputs=groups_to_split,
    probe=split_often,
    restrictions=(no_hash,),
    mistakes=(files_drawn, names_as_they_came, a_side_may_be_empty, always_the_first, sides_exchanged),
    hints=(
        "What is drawn is a name, not a sample: `names = sorted(set(groups))`. Why sorted?",
        "`torch.randperm(len(names), generator=torch.Generator().manual_seed(seed)).tolist()` shuffles them.",
        "The first `count` of them are the val side; `count` lies between 1 and `len(names) - 1`.",
        "`[i for i, group in enumerate(groups) if group in held_out]` are its indices.",
    ),
)


def byte_batches(seed: int) -> list[tuple]:
    """Return batches of uint8 pictures (N, C, H, W) of unequal sizes.

    Two, four, one, grey, dark and bright, many. Then sizes that change with the batch, each byte as the one
    colour of a channel, two colours that hardly differ, and more bright pixels than int32 holds the squares of.
    Channels-last, as a picture is decoded; values below 16, whose squares do not wrap; cropped and turned. One
    pixel in all; more bright ones than float32 holds the sum of; more batches and pictures than a byte counts.
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
        (batch(2, 4, 5, 3).permute(0, 3, 1, 2), batch(3, 4, 5, 6).permute(0, 3, 1, 2)[:, ::2]),
        (batch(5, 2, 3, 3, high=16), batch(2, 2, 3, 3, high=16)),
        (batch(3, 2, 4, 6)[..., 1:], batch(2, 2, 5, 3).mT),
        (batch(1, 3, 1, 1),),
        (batch(1, 6, 260, 300, low=236), batch(1, 6, 7, 9, low=236)),
        (batch(300, 2, 1, 1), *(batch(1, 2, 1, 2) for _ in range(300))),
    ]


class Once:
    """An iterator that counts how often somebody came to its end: there is no second pass."""

    def __init__(self, items: Iterable) -> None:
        self.items, self.ends = iter(items), 0

    def __iter__(self) -> Iterator:
        return self

    def __next__(self) -> object:
        try:
            return next(self.items)
        except StopIteration:
            self.ends += 1
            raise


def one_by_one(answer: Callable, *batches: torch.Tensor) -> dict:
    """Hand the batches over one by one."""
    once = Once(batches)
    stats = answer(once)
    kind = "tuple" if isinstance(stats, tuple) else type(stats).__name__
    mean, deviation = stats if isinstance(stats, (tuple, list)) and len(stats) == 2 else (None, None)
    what = f"{kind} of {len(stats)}" if isinstance(stats, (tuple, list)) else kind
    passes = "twice, the second time they were used up" if once.ends > 1 else "once"
    return {
        "what comes back": what if stats is not None else None,
        "how often you walked through the batches": passes,
        "mean": mean,
        "standard deviation": deviation,
    }


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


def walked_twice(batches):
    """The batches can be walked through once: your second loop found nothing, and left 0. Carry the sum and the sum
    of squares along in one loop."""
    mean = _whole(batches).mean(1)
    squares = sum((images.double().square().sum((0, 2, 3)) for images in batches), torch.zeros_like(mean))
    return mean.float(), squares.float()


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
        walked_twice,
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


def streams_to_share(seed: int) -> list[tuple]:
    """Return the arguments (samples, rank, world_size, worker, num_workers) of each case, `samples` as a tuple.

    Two workers of ten samples, both; alone; two processes with three workers, each of the six; samples that look
    like an end; fewer samples than readers; nothing. What begins with "endless" goes on for ever. Then hundreds of
    readers, samples that are all equal, and such as cannot be compared or hashed.
    """
    draw = torch.Generator().manual_seed(seed)
    many = tuple(torch.randint(100, (23,), generator=draw).tolist())
    odd = (None, 0, False, "", None, 5, 0, None, 3)
    return [
        (tuple(range(10)), 0, 1, 0, 2),
        (tuple(range(10)), 0, 1, 1, 2),
        (many, 0, 1, 0, 1),
        *((many, rank, 2, worker, 3) for rank in range(2) for worker in range(3)),
        (odd, 0, 2, 1, 2),
        (odd, 1, 2, 0, 1),
        ((7, 8), 1, 2, 1, 2),
        ((), 0, 1, 0, 1),
        (("endless", *many), 2, 3, 0, 2),
        (("endless", *many), 0, 4, 1, 2),
        (tuple(range(1501)), 300, 301, 1, 2),
        ((7,) * 10, 1, 2, 0, 2),
        ((torch.tensor([1, 2]), [3], {4: 5}, "", torch.tensor([]), []) * 2, 0, 1, 1, 3),
        ((torch.tensor([1, 2]), [3], {4: 5}, "", torch.tensor([]), []) * 2, 0, 3, 0, 1),
    ]


class Stream:
    """An iterable that is no iterator, as a file set is, and has no places."""

    def __init__(self, begin: Callable) -> None:
        self.begin = begin

    def __iter__(self) -> Iterator:
        return self.begin()


def asked_one_by_one(answer: Callable, samples: tuple, rank: int, world_size: int, worker: int, num_workers: int):
    """Ask the iterator for one sample after the other; note how many it had read from the stream by then.

    Another reader of a stream of its own is asked in between, and an iterator at its end is asked once more.
    """
    endless = samples[:1] == ("endless",)
    place = rank, world_size, worker, num_workers

    def begun():
        """A reader and the list of what it has read."""
        read = []

        def stream():
            for sample in itertools.cycle(samples) if endless else samples:
                if len(read) == 2000:
                    raise RuntimeError("2,000 samples read of an endless stream")
                read.append(sample)
                yield sample

        return answer(stream() if len(samples) % 2 else Stream(stream), *place), read

    share, read = begun()
    came, by_then = [], []
    found = {
        "the reader": list(place),
        "what comes back": "an iterator",
        "how many samples had been read from the stream before one was asked for": len(read),
        "the samples that came": came,
        "how many samples had been read from the stream when each sample of the share came": by_then,
        "after the end": "the end",
    }
    if not hasattr(type(share), "__next__"):
        return found | {"what comes back": f"{a(type(share).__name__)}, on which `next` cannot be called"}
    other, end = begun()[0], object()
    for sample in itertools.islice(share, 12):
        came.append(sample)
        by_then.append(len(read))
        next(other, end)
    found["after the end"] = "the end" if len(came) == 12 or next(share, end) is end else "another sample"
    return found


def stream_and_place(samples: tuple, *place: int) -> str:
    """Say what is handed over: no tuple, as the example shows it, but what only gives one after the other."""
    kind = "generator" if len(samples) % 2 else "Stream"
    values = short(samples) or f"{len(samples)} values"
    ever = ", again and again" if samples[:1] == ("endless",) else ""
    return (
        f"`own_share(samples, {', '.join(map(str, place))})`, where `samples` is no tuple as in the example, but a "
        f"{kind} of {values}{ever}: it can be looped over, not indexed"
    )


def own_share(samples, rank, world_size, worker, num_workers):
    """`islice` reads the stream to the next sample of its own, hands it on, and waits."""
    return itertools.islice(samples, rank * num_workers + worker, None, world_size * num_workers)


def workers_only(samples, rank, world_size, worker, num_workers):
    """You shared the stream among the workers of one process: with several processes each of them yields every
    sample. There are world_size · num_workers readers."""
    return itertools.islice(samples, worker, None, num_workers)


def processes_only(samples, rank, world_size, worker, num_workers):
    """You shared the stream among the processes: the workers of one process all yield the same samples. There are
    world_size · num_workers readers."""
    return itertools.islice(samples, rank, None, world_size)


def numbered_the_other_way(samples, rank, world_size, worker, num_workers):
    """No sample is lost or doubled, but the readers are numbered otherwise than asked for: reader number
    rank · num_workers + worker is worker `worker` of process `rank`."""
    return itertools.islice(samples, worker * world_size + rank, None, world_size * num_workers)


def all_read_first(samples, rank, world_size, worker, num_workers):
    """You read the whole stream, or much of it, before you hand on the first sample. A stream may have no end: read
    to the next sample of your own, and hand it on."""
    begin, step = rank * num_workers + worker, world_size * num_workers
    return iter(list(itertools.islice(samples, 1000))[begin::step])


own_share = Exercise(
    own_share,
    inputs=streams_to_share,
    probe=asked_one_by_one,
    describe=stream_and_place,
    mistakes=(workers_only, processes_only, numbered_the_other_way, all_read_first),
    hints=(
        "How many readers are there in all, and which number has this one?",
        "With `yield`: go through `enumerate(samples)`, and yield those whose number leaves the right remainder.",
        "`itertools.islice(samples, start, None, step)` does the same in one call, one sample at a time.",
    ),
)
