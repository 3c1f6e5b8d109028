"""What chapter 03 asks: a data set with its packing, a split by speaker, statistics, a shared stream.

The inputs of each question, and how an answer is driven. A submission that is graded sees this file.
"""

import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import numpy
import torch
from torch.utils.data import DataLoader

from lessonkit.checks.question import Question
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
            found[f"clips[{index}]"] = f"a {type(sample).__name__} instead of a tuple"
        elif len(sample) == 2 and type(sample[1]) is not int:
            found[f"clips[{index}]"] = sample[0], f"a label that is a {type(sample[1]).__name__} instead of an int"
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
                own = "shared with a waveform: a change of the batch also changes the waveform"
        found[f"collate of the samples {chosen}"] = packed
        found[f"collate of the samples {chosen}, the memory of the batch"] = own
    return found


Clips = Question(
    "Clips",
    inputs=clips_to_pack,
    probe=loaded,
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
    """Split with many seeds, in other orders and numbers: what does not hold is said in words.

    How many groups belong into val is not computed here, where an answer could look it up in the frame of its
    caller: the number that came is reported, and what our own answer reports says which one is right.
    """
    states_key = "the states of the global generators after a call"
    report = {
        "the number of samples": len(groups),
        states_key: "as before the call",
        "the returned value": "a tuple of list and list",
        "the type of an index": "an int",
        "the samples in the two lists": f"each of the {len(groups)} once",
        "the order of the indices": "increasing in each list",
        "the groups of the two lists": "each in one of them",
    }
    before = states()
    split = answer(groups, share, 0)
    if touched := [name for name, state in states().items() if state != before[name]]:
        return report | {states_key: f"the state of {touched[0]} is another than before"}
    if not (isinstance(split, tuple) and len(split) == 2 and all(isinstance(side, list) for side in split)):
        parts = [type(part).__name__ for part in split] if isinstance(split, (tuple, list)) else []
        what = f"a {type(split).__name__} of {' and '.join(parts)}" if parts else f"a {type(split).__name__}"
        return report | {"the returned value": what}
    if fault := fault_of(split, len(groups)):
        return report | fault
    train, val = ({groups[index] for index in side} for side in split)
    if train & val:
        return report | {"the groups of the two lists": "one that is in both"}

    names, seeds = sorted(set(groups)), (*range(120), *range(600, 600 * 121, 600))
    choices, counted = math.comb(len(names), len(val)), 3 < len(names) < 6 and 1 < len(val) < len(names) - 1
    mean, kind = len(seeds) / choices, "pairs" if len(val) == 2 else "choices"
    draw_key = f"how often the same groups went to val together, in {len(seeds)} seeds"
    report |= {
        f"the number of groups in val, with share={share}": f"{len(val)} of {len(names)}",
        "a second call with the same seed": "the same groups in val",
        **{f"val for {name}": "the groups of val for `groups`" for name in other_lists(groups)},
        draw_key: f"each of the {choices} {kind} about {mean:.0f} times" if counted else "not counted here",
        "the two lists after further calls": "as they were returned",
    }
    kept = [list(side) for side in split]

    def chosen(seed, order=groups):
        """The groups in val. Each text is made anew: nobody can tell them by where they lie in memory."""
        return tuple(sorted({order[i] for i in answer(["".join([*name]) for name in order], share, seed)[1]}))

    for seed in (1, 2, 3):
        if chosen(seed) != chosen(seed):
            return report | {"a second call with the same seed": f"other groups in val, with seed {seed}"}
    for name, order in other_lists(groups).items():
        if seeds_apart := [seed for seed in (4, 5, 6) if chosen(seed, order) != chosen(seed)]:
            return report | {f"val for {name}": f"other groups, with seed {seeds_apart[0]}"}
    if counted:  # of a million right answers one is refused
        draws = [chosen(seed) for seed in seeds]
        counts = {group: draws.count(group) for group in itertools.combinations(names, len(val))}
        rare, often = min(counts, key=counts.get), max(counts, key=counts.get)
        if counts[rare] < mean - 4.6 * mean**0.5 or counts[often] > mean + 6.4 * mean**0.5:
            times = [f"{' and '.join(group)} {counts[group]} times" for group in (rare, often)]
            report[draw_key] = ", ".join(times)
    if kept != list(split):
        report["the two lists after further calls"] = "changed by a later call"
    return report


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
                return {"the order of the indices": f"not increasing: {one} comes before {other}"}
    return None


def no_hash(answer: Callable) -> str | None:
    """Refuse `hash`, by which the same seed gives another split in the next Python."""
    if no_call("hash", "__hash__")(answer):
        return "`hash` of a text differs between Python processes, so the same seed gives another split next time."
    return None


split_by = Question(
    "split_by",
    inputs=groups_to_split,
    probe=split_often,
    restrictions=(no_hash,),
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
    passes = "twice, but the second time nothing was left" if once.ends > 1 else "once"
    return {
        "the returned value": what if stats is not None else None,
        "how often you iterated over the batches": passes,
        "mean": mean,
        "standard deviation": deviation,
    }


channel_stats = Question(
    "channel_stats",
    inputs=byte_batches,
    probe=one_by_one,
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
        "the returned value": "an iterator",
        "how many samples had been read from the stream before the first one was requested": len(read),
        "the samples that were returned": came,
        "how many samples had been read from the stream when each sample of the share was returned": by_then,
        "after the end": "the end",
    }
    if not hasattr(type(share), "__next__"):
        return found | {"the returned value": f"{a(type(share).__name__)}, on which `next` cannot be called"}
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


own_share = Question(
    "own_share",
    inputs=streams_to_share,
    probe=asked_one_by_one,
    describe=stream_and_place,
)
