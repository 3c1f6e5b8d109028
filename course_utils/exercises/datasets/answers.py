"""Our answers to the questions of chapter 03: references, known mistakes and hints.

The docstring of a mistake is what a learner reads who makes it. A submission that is graded never sees this file.
"""

import itertools

import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset

from lessonkit.checks.answer import Answer


class Clips(Dataset):
    """`__getitem__` cuts each sample, and `collate` pads the samples of a batch."""

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


class PaddedToTheLimit(Clips):
    """You padded every batch to `longest`. Pad to the length of the longest sample *in this batch*, so that a batch
    of short samples stays small."""

    def collate(self, samples):
        batch, mask, targets = super().collate(samples)
        missing = (0, self.longest - batch.shape[1])
        return torch.nn.functional.pad(batch, missing), torch.nn.functional.pad(mask, missing), targets


class MaskFromTheValues(Clips):
    """Your mask is True where a value is not 0. But a sample may contain zeros of its own, for example silence,
    so build the mask from the lengths."""

    def collate(self, samples):
        batch, _, targets = super().collate(samples)
        return batch, batch != 0, targets


class MaskTurnedRound(Clips):
    """Your mask is True where the padding is. It must be True where the sample's own values are."""

    def collate(self, samples):
        batch, mask, targets = super().collate(samples)
        return batch, ~mask, targets


class EndsKept(Clips):
    """You kept the *last* `longest` values of a long waveform. Keep the first ones: `waveform[:longest]`."""

    def __getitem__(self, index):
        waveform = self.waveforms[index]
        return waveform[max(0, len(waveform) - self.longest) :], self.labels[index]


class NeverCut(Clips):
    """Your class does not use `longest`. Keep only the first `longest` values of a longer waveform."""

    def __getitem__(self, index):
        return self.waveforms[index], self.labels[index]


class ZerosInFront(Clips):
    """You padded at the beginning of the samples. Pad at the end, as `pad_sequence` does by default."""

    def collate(self, samples):
        waveforms, labels = zip(*samples, strict=True)
        batch = pad_sequence([waveform.flip(0) for waveform in waveforms], batch_first=True).flip(1)
        lengths = torch.tensor([len(waveform) for waveform in waveforms])
        mask = (torch.arange(batch.shape[1]) < lengths[:, None]).flip(1)
        return batch, mask, torch.tensor(labels)


class BatchAlongDimOne(Clips):
    """Your batch has the shape (L, N), the default of `pad_sequence`. Pass `batch_first=True`."""

    def collate(self, samples):
        batch, mask, targets = super().collate(samples)
        return batch.T, mask, targets


class LabelsAsTheyCame(Clips):
    """Your targets are not a tensor. A loader does not convert what your own `collate_fn` returns, so call
    `torch.tensor(labels)`."""

    def collate(self, samples):
        batch, mask, targets = super().collate(samples)
        return batch, mask, targets.tolist()


Clips = Answer(
    Clips,
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
        "`__init__` stores the arguments. `__len__` and `__getitem__` need one line each, with "
        "`waveform[:longest]` in the second.",
        "In `collate`, `waveforms, labels = zip(*samples)` turns a list of pairs into a pair of tuples.",
        "`pad_sequence(waveforms, batch_first=True)` is the batch. Build the mask from the lengths, as above.",
        "`torch.arange(L) < lengths[:, None]` has the shape (N, L): the first `lengths[i]` elements of row i are "
        "True.",
    ),
)


def split_by(groups, share, seed):
    """Shuffle the group *names*. They are sorted first, so that neither the order of the files nor that of a set
    matters."""
    names = sorted(set(groups))
    count = min(max(round(share * len(names)), 1), len(names) - 1)
    order = torch.randperm(len(names), generator=torch.Generator().manual_seed(seed)).tolist()
    held_out = {names[index] for index in order[:count]}
    val = [index for index, group in enumerate(groups) if group in held_out]
    return [index for index, group in enumerate(groups) if group not in held_out], val


def files_drawn(groups, share, seed):
    """You divided the samples instead of the groups. Then a group can be on both sides, which is the leak that
    this split must prevent."""
    order = torch.randperm(len(groups), generator=torch.Generator().manual_seed(seed)).tolist()
    count = round(share * len(groups))
    return sorted(order[count:]), sorted(order[:count])


def names_as_they_came(groups, share, seed):
    """You draw from the names in the order of their first sample. If the files come in another order, the same
    seed gives another split. Sort the names first."""
    names = list(dict.fromkeys(groups))
    count = min(max(round(share * len(names)), 1), len(names) - 1)
    order = torch.randperm(len(names), generator=torch.Generator().manual_seed(seed)).tolist()
    held_out = {names[index] for index in order[:count]}
    val = [index for index, group in enumerate(groups) if group in held_out]
    return [index for index, group in enumerate(groups) if group not in held_out], val


def a_side_may_be_empty(groups, share, seed):
    """Your rounding can leave one side without any group. At least one group must be in val, and at least one in
    train."""
    names = sorted(set(groups))
    order = torch.randperm(len(names), generator=torch.Generator().manual_seed(seed)).tolist()
    held_out = {names[index] for index in order[: round(share * len(names))]}
    val = [index for index, group in enumerate(groups) if group in held_out]
    return [index for index, group in enumerate(groups) if group not in held_out], val


def always_the_first(groups, share, seed):
    """Your split does not depend on the seed. Draw the groups with a generator that is seeded with it."""
    names = sorted(set(groups))
    held_out = set(names[: min(max(round(share * len(names)), 1), len(names) - 1)])
    val = [index for index, group in enumerate(groups) if group in held_out]
    return [index for index, group in enumerate(groups) if group not in held_out], val


def sides_exchanged(groups, share, seed):
    """Your two lists are swapped. The training indices come first, and `share` is the share of val."""
    names = sorted(set(groups))
    count = min(max(round(share * len(names)), 1), len(names) - 1)
    order = torch.randperm(len(names), generator=torch.Generator().manual_seed(seed)).tolist()
    held_out = {names[index] for index in order[:count]}
    val = [index for index, group in enumerate(groups) if group in held_out]
    return val, [index for index, group in enumerate(groups) if group not in held_out]


split_by = Answer(
    split_by,
    mistakes=(files_drawn, names_as_they_came, a_side_may_be_empty, always_the_first, sides_exchanged),
    hints=(
        "Draw names, not samples: `names = sorted(set(groups))`. Why sorted?",
        "`torch.randperm(len(names), generator=torch.Generator().manual_seed(seed)).tolist()` shuffles them.",
        "The first `count` names go to val. `count` is between 1 and `len(names) - 1`.",
        "`[i for i, group in enumerate(groups) if group in held_out]` gives the indices of val.",
    ),
)


def channel_stats(batches):
    """One pass needs only the count, the sum and the sum of squares. They are float64, because sums of many
    squares lose digits in float32."""
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
    """Return all pixels by channel, (C, number of pixels), scaled to 0…1."""
    return torch.cat([images.double().transpose(0, 1).flatten(1) for images in batches], dim=1) / 255


def mean_of_the_batches(batches):
    """You averaged the means and standard deviations of the batches. Then a short last batch counts as much as a
    full one, and the variation *between* the batches is lost. Add up sums and sums of squares, and divide once
    at the end."""
    stats = [_whole([images]) for images in batches]
    means, stds = zip(*((x.mean(1), x.std(1, correction=0)) for x in stats), strict=True)
    return torch.stack(means).mean(0).float(), torch.stack(stds).mean(0).float()


def walked_twice(batches):
    """The batches can be iterated over only once, so your second loop found nothing and added 0. Add up the sum
    and the sum of squares in one loop."""
    mean = _whole(batches).mean(1)
    squares = sum((images.double().square().sum((0, 2, 3)) for images in batches), torch.zeros_like(mean))
    return mean.float(), squares.float()


def squared_as_bytes(batches):
    """You squared uint8 values, which overflow: 20 · 20 = 400 becomes 144. Convert them to float first, and then
    square."""
    batches = list(batches)
    mean = _whole(batches).mean(1)
    squares = (_whole([images.square() for images in batches]) * 255).mean(1) / 255**2
    return mean.float(), (squares - mean**2).clamp(min=0).sqrt().float()


def over_the_channels_too(batches):
    """You averaged over the channels as well, but each channel has its own mean. Do not reduce over dim 1."""
    pixels = _whole(batches)
    return pixels.mean().float(), pixels.std(correction=0).float()


def still_in_bytes(batches):
    """You reduced over the right axes, but your values are in the range 0 to 255. The images are scaled to 0…1
    before they are normalised, so the statistics must be on that scale too."""
    pixels = _whole(batches) * 255
    return pixels.mean(1).float(), pixels.std(1, correction=0).float()


def one_less(batches):
    """You divided by n − 1, as for a random sample. These are all the pixels, so divide by n (`correction=0`)."""
    pixels = _whole(batches)
    return pixels.mean(1).float(), pixels.std(1).float()


def the_variance(batches):
    """Your second value is the variance. The standard deviation is its square root."""
    pixels = _whole(batches)
    return pixels.mean(1).float(), pixels.var(1, correction=0).float()


def the_last_batch_only(batches):
    """You overwrote the sums in each iteration, so only the last batch counts. Add to the sums instead."""
    *_, last = batches
    pixels = _whole([last])
    return pixels.mean(1).float(), pixels.std(1, correction=0).float()


channel_stats = Answer(
    channel_stats,
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
        "Keep three numbers per channel: the number of pixels, their sum, and the sum of their squares.",
        "`pixels.sum(dim=(0, 2, 3))` sums over all axes except the channels.",
        "At the end, mean = sum / n and variance = (sum of squares) / n − mean². Rounding can make the variance "
        "slightly negative.",
        "Work in float64 (`images.double() / 255`) and return float32 (`.float()`).",
    ),
)


def own_share(samples, rank, world_size, worker, num_workers):
    """`islice` reads the stream up to the reader's next sample, yields it, and waits."""
    return itertools.islice(samples, rank * num_workers + worker, None, world_size * num_workers)


def workers_only(samples, rank, world_size, worker, num_workers):
    """You divided the stream among the workers of one process only. With several processes, each process yields
    every sample. There are world_size · num_workers readers."""
    return itertools.islice(samples, worker, None, num_workers)


def processes_only(samples, rank, world_size, worker, num_workers):
    """You divided the stream among the processes only, so all workers of one process yield the same samples.
    There are world_size · num_workers readers."""
    return itertools.islice(samples, rank, None, world_size)


def numbered_the_other_way(samples, rank, world_size, worker, num_workers):
    """No sample is lost or repeated, but your readers are numbered differently from the task. Worker `worker` of
    process `rank` is reader number rank · num_workers + worker."""
    return itertools.islice(samples, worker * world_size + rank, None, world_size * num_workers)


def all_read_first(samples, rank, world_size, worker, num_workers):
    """You read the whole stream, or much of it, before you yield the first sample. A stream may have no end, so
    read only up to the reader's next sample, and yield it."""
    begin, step = rank * num_workers + worker, world_size * num_workers
    return iter(list(itertools.islice(samples, 1000))[begin::step])


own_share = Answer(
    own_share,
    mistakes=(workers_only, processes_only, numbered_the_other_way, all_read_first),
    hints=(
        "How many readers are there in all, and which number has this one?",
        "Loop over `enumerate(samples)`, and `yield` the samples whose number leaves the right remainder.",
        "`itertools.islice(samples, start, None, step)` does the same in one call, one sample at a time.",
    ),
)
