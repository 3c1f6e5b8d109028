# %% right_islice: islice from the own number on.
from itertools import islice


def own_share(samples, rank, world_size, worker, num_workers):
    first = rank * num_workers + worker
    return islice(samples, first, None, num_workers * world_size)


# %% right_generator: A generator that counts.
def own_share(samples, rank, world_size, worker, num_workers):
    readers = world_size * num_workers
    mine = rank * num_workers + worker
    for number, sample in enumerate(samples):
        if number % readers == mine:
            yield sample


# %% right_class: An iterator class that skips by next.
class Share:
    def __init__(self, samples, first, step):
        self.samples, self.skip, self.step = iter(samples), first, step

    def __iter__(self):
        return self

    def __next__(self):
        for _ in range(self.skip):
            next(self.samples)
        self.skip = self.step - 1
        return next(self.samples)


def own_share(samples, rank, world_size, worker, num_workers):
    return Share(samples, rank * num_workers + worker, world_size * num_workers)


# %% right_expression: A generator expression.
def own_share(samples, rank, world_size, worker, num_workers):
    n, step = rank * num_workers + worker, world_size * num_workers
    return (sample for i, sample in enumerate(samples) if (i - n) % step == 0)


# %% right_compress: compress by a pattern that is repeated.
import itertools


def own_share(samples, rank, world_size, worker, num_workers):
    pattern = [False] * (world_size * num_workers)
    pattern[rank * num_workers + worker] = True
    return itertools.compress(samples, itertools.cycle(pattern))


# %% wrong_workers_alone: Forgets the processes.
def own_share(samples, rank, world_size, worker, num_workers):
    readers = num_workers
    mine = worker
    for number, sample in enumerate(samples):
        if number % readers == mine:
            yield sample


# %% wrong_processes_alone: Forgets the workers.
def own_share(samples, rank, world_size, worker, num_workers):
    readers = world_size
    mine = rank
    for number, sample in enumerate(samples):
        if number % readers == mine:
            yield sample


# %% wrong_numbered: Numbers the readers worker by worker.
def own_share(samples, rank, world_size, worker, num_workers):
    readers = world_size * num_workers
    mine = worker * world_size + rank
    for number, sample in enumerate(samples):
        if number % readers == mine:
            yield sample


# %% wrong_list: Returns a list, and needs an end.
def own_share(samples, rank, world_size, worker, num_workers):
    return list(samples)[rank * num_workers + worker :: world_size * num_workers]


# %% wrong_sliced: Slices: a stream cannot be asked for a piece.
def own_share(samples, rank, world_size, worker, num_workers):
    return iter(samples[rank * num_workers + worker :: world_size * num_workers])


# %% wrong_rounds: Reads a round for all readers, then yields its own: further than the sample handed on.
import itertools


def own_share(samples, rank, world_size, worker, num_workers):
    samples = iter(samples)
    while batch := list(itertools.islice(samples, world_size * num_workers)):
        yield from batch[rank * num_workers + worker :][:1]


# %% wrong_none_is_the_end: Takes None for the end of the stream.
import itertools


def own_share(samples, rank, world_size, worker, num_workers):
    samples = itertools.islice(samples, rank * num_workers + worker, None, world_size * num_workers)
    while (sample := next(samples, None)) is not None:
        yield sample


# %% wrong_falsy_left_out: Leaves out what counts as false.
def own_share(samples, rank, world_size, worker, num_workers):
    readers = world_size * num_workers
    mine = rank * num_workers + worker
    for number, sample in enumerate(samples):
        if number % readers == mine and sample:
            yield sample


# %% wrong_blocks: Gives each reader a block, as an unshuffled split would: needs the length.
import itertools


def own_share(samples, rank, world_size, worker, num_workers):
    samples = list(itertools.islice(samples, 10_000))
    size = -(-len(samples) // (world_size * num_workers))
    n = rank * num_workers + worker
    return iter(samples[n * size : (n + 1) * size])


# %% wrong_eager_first: Skips to its own place before anybody asks.
import itertools


def own_share(samples, rank, world_size, worker, num_workers):
    samples = iter(samples)
    for _ in range(rank * num_workers + worker):
        next(samples, None)
    return itertools.islice(samples, 0, None, world_size * num_workers)


# %% wrong_one_ahead: Reads one sample ahead, to know whether it is the last.
import itertools


def own_share(samples, rank, world_size, worker, num_workers):
    samples = itertools.islice(samples, rank * num_workers + worker, None, world_size * num_workers)
    missing = object()
    sample = next(samples, missing)
    while sample is not missing:
        after = next(samples, missing)
        yield sample
        sample = after


# %% wrong_round_after: Reads the rest of the round before it hands its sample on.
import itertools


def own_share(samples, rank, world_size, worker, num_workers):
    samples = iter(samples)
    n, step = rank * num_workers + worker, world_size * num_workers
    for first in samples:
        turn = [first, *itertools.islice(samples, step - 1)]
        if len(turn) > n:
            yield turn[n]


# %% wrong_repeat_first: Begins with sample 0 in every reader.
import itertools


def own_share(samples, rank, world_size, worker, num_workers):
    return itertools.islice(samples, 0, None, world_size * num_workers)


# %% wrong_next_of_the_samples: Takes any iterable for an iterator.
def own_share(samples, rank, world_size, worker, num_workers):
    number = 0
    while True:
        try:
            sample = next(samples)
        except StopIteration:
            return
        if number % (world_size * num_workers) == rank * num_workers + worker:
            yield sample
        number += 1


# %% wrong_rank_and_worker_swapped: counts the readers as worker times world_size plus rank
from itertools import islice


def own_share(samples, rank, world_size, worker, num_workers):
    return islice(samples, worker * world_size + rank, None, world_size * num_workers)


# %% wrong_workers_only: forgets the processes, so every process yields the same
def own_share(samples, rank, world_size, worker, num_workers):
    for i, sample in enumerate(samples):
        if i % num_workers == worker:
            yield sample


# %% wrong_whole_list: reads the whole stream at once, an endless one for ever
def own_share(samples, rank, world_size, worker, num_workers):
    return iter(list(samples)[rank * num_workers + worker :: world_size * num_workers])


# %% wrong_none_is_the_end_again: takes a sample None for the end of the stream
def own_share(samples, rank, world_size, worker, num_workers):
    it = iter(samples)
    n, i = rank * num_workers + worker, 0
    while (sample := next(it, None)) is not None:
        if i % (world_size * num_workers) == n:
            yield sample
        i += 1


# %% wrong_round_at_a_time: reads a sample for every reader before it hands its own on
from itertools import islice


def own_share(samples, rank, world_size, worker, num_workers):
    it = iter(samples)
    n = rank * num_workers + worker
    while block := list(islice(it, world_size * num_workers)):
        if n < len(block):
            yield block[n]


# %% wrong_skips_at_once: reads the samples before its first one already when it is made
def own_share(samples, rank, world_size, worker, num_workers):
    it = iter(samples)
    for _ in range(rank * num_workers + worker):
        next(it, None)

    def walk():
        for i, sample in enumerate(it):
            if i % (world_size * num_workers) == 0:
                yield sample

    return walk()


# %% wrong_next_in_a_generator: the end of the stream is a RuntimeError
def own_share(samples, rank, world_size, worker, num_workers):
    it = iter(samples)
    for _ in range(rank * num_workers + worker):
        next(it)
    while True:
        yield next(it)
        for _ in range(world_size * num_workers - 1):
            next(it)


# %% wrong_reads_ahead: after its sample is asked for, reads on to the next of its own before handing it on
def own_share(samples, rank, world_size, worker, num_workers):
    held = []
    for i, sample in enumerate(samples):
        if i % (world_size * num_workers) == rank * num_workers + worker:
            held.append(sample)
            if len(held) == 2:
                yield held.pop(0)
    yield from held


# %% right_compress_again: a cycle of one True among the readers
from itertools import compress, cycle


def own_share(samples, rank, world_size, worker, num_workers):
    readers = world_size * num_workers
    n = rank * num_workers + worker
    return compress(samples, cycle([i == n for i in range(readers)]))


# %% right_iterator_class: an iterator by hand, the stream opened at the first next
class _Share:
    def __init__(self, samples, first, step):
        self.samples, self.skip, self.step = samples, first, step
        self.it = None

    def __iter__(self):
        return self

    def __next__(self):
        if self.it is None:
            self.it = iter(self.samples)
        for _ in range(self.skip):
            next(self.it)
        self.skip = 0
        sample = next(self.it)
        self.skip = self.step - 1
        return sample


def own_share(samples, rank, world_size, worker, num_workers):
    return _Share(samples, rank * num_workers + worker, world_size * num_workers)


# %% right_countdown_generator: a for loop that counts down to its own sample
def own_share(samples, rank, world_size, worker, num_workers):
    wait = rank * num_workers + worker
    for sample in samples:
        if wait:
            wait -= 1
        else:
            wait = world_size * num_workers - 1
            yield sample
