"""Our answers to the questions of chapter 11: references, known mistakes and hints.

The docstring of a mistake is what a learner reads who makes it. A submission that is graded never sees this file.
"""

import itertools
import math

import torch

from lessonkit.checks.answer import Answer


def honest(replicas):
    """No storage is used by two replicas."""
    owner = {}
    for number, tensors in enumerate(replicas):
        for tensor in tensors:
            storage = tensor.untyped_storage().data_ptr()
            if owner.setdefault(storage, number) != number:
                return False
    return True


def asked_for_overlap(replicas):
    """This is right except for two replicas that use *different parts* of one storage. Neither sees the other's
    writes, so no test by writing or by bounds finds them. The task asks whether a storage is used twice, and
    each storage has one address."""

    def numbers(tensor):
        every = torch.arange(tensor.untyped_storage().nbytes()).as_strided(
            tensor.shape,
            [step * tensor.element_size() for step in tensor.stride()],
            tensor.storage_offset() * tensor.element_size(),
        )
        return {tensor.untyped_storage().data_ptr() + number for number in every.flatten().tolist()}

    return not any(numbers(tensor) & numbers(other) for tensor, other in _pairs(replicas))


def _pairs(replicas):
    """Every pair of tensors from two different replicas."""
    for number, tensors in enumerate(replicas):
        for others in replicas[number + 1 :]:
            yield from ((tensor, other) for tensor in tensors for other in others)


def compared_values(replicas):
    """You compared values. But true copies also have equal values. Compare where the values are in memory."""
    return not any(tensor.shape == other.shape and torch.equal(tensor, other) for tensor, other in _pairs(replicas))


def asked_for_identity(replicas):
    """You compared Python objects. `detach()` and `view()` make new objects that share memory with the old ones.
    Compare the addresses of the storages."""
    return not any(tensor is other for tensor, other in _pairs(replicas))


def compared_first_addresses(replicas):
    """`tensor.data_ptr()` is the address of a tensor's first element. Two views of one storage can begin at
    different addresses. Ask the storage for its address."""
    return not any(tensor.data_ptr() == other.data_ptr() for tensor, other in _pairs(replicas))


def neighbours_only(replicas):
    """You compared each replica with the next one only. The first and the third may share memory as well."""
    storages = [{tensor.untyped_storage().data_ptr() for tensor in tensors} for tensors in replicas]
    return not any(one & other for one, other in itertools.pairwise(storages))


def refused_tied_tensors(replicas):
    """Two tensors *within* one replica may share a storage, as tied weights do, and no other replica is
    affected. Only sharing between replicas counts."""
    storages = [tensor.untyped_storage().data_ptr() for tensors in replicas for tensor in tensors]
    return len(set(storages)) == len(storages)


def first_tensors_only(replicas):
    """You checked only the first tensor of each replica. One shared bias is enough to make training wrong, so
    check all of them."""
    storages = [tensors[0].untyped_storage().data_ptr() for tensors in replicas]
    return len(set(storages)) == len(storages)


honest = Answer(
    honest,
    mistakes=(
        compared_values,
        asked_for_identity,
        compared_first_addresses,
        asked_for_overlap,
        neighbours_only,
        refused_tied_tensors,
        first_tensors_only,
    ),
    hints=(
        "Where does the memory of a tensor begin? `tensor.untyped_storage().data_ptr()` is a number.",
        "Make a set of these numbers for each replica. The sets of two replicas must have no number in common.",
        "Or use one dictionary: storage -> the replica that first used it.",
    ),
)


def chunk_bounds(length, world_size):
    """Every chunk gets the quotient, and the first `remainder` chunks get one element more."""
    size, longer = divmod(length, world_size)
    chunks, start = [], 0
    for rank in range(world_size):
        end = start + size + (rank < longer)
        chunks.append((start, end))
        start = end
    return chunks


def lost_the_remainder(length, world_size):
    """The last elements are in no chunk, so no rank reduces them. Distribute the remainder of the division too."""
    size = length // world_size
    return [(rank * size, (rank + 1) * size) for rank in range(world_size)]


def remainder_to_the_last(length, world_size):
    """Your chunks are complete, but the last one is up to N - 1 elements longer than the others, and every step
    waits for the longest chunk. Give the first chunks one element more each."""
    size = length // world_size
    return [(rank * size, (rank + 1) * size) for rank in range(world_size - 1)] + [
        ((world_size - 1) * size, length)
    ]


def as_torch_chunk(length, world_size):
    """You rounded the size up, as `torch.chunk` does. Then the last chunks are short or missing (7 elements in 5
    parts become 2, 2, 2, 1 and none). The sizes may differ by one at most."""
    size = -(-length // world_size)
    return [(min(rank * size, length), min((rank + 1) * size, length)) for rank in range(world_size)]


def longer_ones_last(length, world_size):
    """The sizes are right, but the longer chunks must come first, so that all ranks cut in the same places."""
    return [(rank * length // world_size, (rank + 1) * length // world_size) for rank in range(world_size)]


def sizes_instead_of_ends(length, world_size):
    """You returned (start, size). The task asks for (start, end), as in a slice."""
    size, longer = divmod(length, world_size)
    return [(rank * size + min(rank, longer), size + (rank < longer)) for rank in range(world_size)]


chunk_bounds = Answer(
    chunk_bounds,
    mistakes=(
        lost_the_remainder,
        remainder_to_the_last,
        as_torch_chunk,
        longer_ones_last,
        sizes_instead_of_ends,
    ),
    hints=(
        "`divmod(length, world_size)` gives the size of a short chunk, and how many chunks are longer by one.",
        "Go from chunk to chunk. Each starts where the last one ended, and the first `longer` chunks are one "
        "element longer.",
    ),
)


def ring(chunks, rank, world_size):
    """The first N - 1 steps add what arrives, and the other N - 1 steps store it."""
    for step in range(2 * (world_size - 1)):
        arrived = yield chunks[(rank - step) % world_size]
        place = (rank - step - 1) % world_size
        chunks[place] = chunks[place] + arrived if step < world_size - 1 else arrived
    return chunks


def half_a_ring(chunks, rank, world_size):
    """That is only the first half, a reduce-scatter: every rank has *one* complete chunk. The complete chunks
    must travel around the ring in N - 1 more steps."""
    for step in range(world_size - 1):
        arrived = yield chunks[(rank - step) % world_size]
        place = (rank - step - 1) % world_size
        chunks[place] = chunks[place] + arrived
    return chunks


def added_all_the_way(chunks, rank, world_size):
    """You add in the second half too. The chunks that arrive there are complete, so adding your own part counts
    ranks twice. Store them as they are."""
    for step in range(2 * (world_size - 1)):
        arrived = yield chunks[(rank - step) % world_size]
        place = (rank - step - 1) % world_size
        chunks[place] = chunks[place] + arrived
    return chunks


def gathered_from_the_start(chunks, rank, world_size):
    """Your second half begins with chunk r, as the first half did. But rank r's complete chunk is the one that
    arrived last, r + 1. With one rank there is no difference; with two or more ranks everything is wrong."""
    for step in range(2 * (world_size - 1)):
        late = step % (world_size - 1)
        arrived = yield chunks[(rank - late) % world_size]
        place = (rank - late - 1) % world_size
        chunks[place] = chunks[place] + arrived if step < world_size - 1 else arrived
    return chunks


def whole_tensors_around(chunks, rank, world_size):
    """The sums are right, but each message is a whole tensor. Each rank sends (N - 1) times the tensor, while
    chunks need 2 (N - 1) / N times. On eight ranks that is four times as much."""
    sizes, passing = [len(chunk) for chunk in chunks], torch.cat(chunks)
    total = passing.clone()
    for _ in range(world_size - 1):
        passing = yield passing
        total = total + passing
    return list(total.split(sizes))


def same_chunk_for_all(chunks, rank, world_size):
    """In each step all ranks send the chunk with the same number, so each chunk is added only to the neighbour's
    part of it. Rank r must be one chunk ahead of rank r - 1."""
    for step in range(2 * (world_size - 1)):
        place = step % world_size
        arrived = yield chunks[place]
        chunks[place] = chunks[place] + arrived if step < world_size - 1 else arrived
    return chunks


def each_chunk_alone(chunks, rank, world_size):
    """The sums are right, but each chunk travels around the ring by itself. This takes N (N - 1) messages, and
    each rank sends (N - 1) times the tensor. Send the *sum* so far, so that one message carries the
    contributions of many ranks."""
    sums = list(chunks)
    for place in range(world_size):
        passing = chunks[place]
        for _ in range(world_size - 1):
            passing = yield passing
            sums[place] = sums[place] + passing
    return sums


ring = Answer(
    ring,
    mistakes=(
        half_a_ring,
        added_all_the_way,
        gathered_from_the_start,
        whole_tensors_around,
        each_chunk_alone,
        same_chunk_for_all,
    ),
    hints=(
        "Write one loop of 2 (N - 1) steps. `arrived = yield chunks[...]` is all the communication that you need.",
        "In step s, rank r sends chunk r - s and receives chunk r - s - 1, both % N. What arrived is sent in the "
        "next step.",
        "In the first N - 1 steps, add what arrived to your chunk of that number. After that, store it in its "
        "place.",
    ),
)


def buckets(sizes, cap):
    """Go from the last parameter to the first. Close a bucket when it has reached the cap."""
    found, filled = [], cap
    for number in reversed(range(len(sizes))):
        if filled >= cap:
            found.append([])
            filled = 0
        found[-1].append(number)
        filled += sizes[number]
    return found


def first_parameters_first(sizes, cap):
    """You began with the first parameter. The backward pass computes the *last* layer's gradients first, so a
    bucket of the first layers is full only at the very end, too late to overlap with the backward pass."""
    found, filled = [], cap
    for number in range(len(sizes)):
        if filled >= cap:
            found.append([])
            filled = 0
        found[-1].append(number)
        filled += sizes[number]
    return found


def cut_from_the_front(sizes, cap):
    """You divided from the first parameter on, and then reversed the list of buckets. So the incomplete bucket
    is sent first instead of last, and within a bucket the gradients are not in the order in which they are
    computed."""
    return first_parameters_first(sizes, cap)[::-1]


def never_above_the_cap(sizes, cap):
    """You closed a bucket *before* the gradient that would exceed the cap. That gradient still belongs to it:
    `cap` says when a bucket is ready, not how large it may be."""
    found, filled = [], 0
    for number in reversed(range(len(sizes))):
        if not found or (found[-1] and filled + sizes[number] > cap):
            found.append([])
            filled = 0
        found[-1].append(number)
        filled += sizes[number]
    return found


def only_above_the_cap(sizes, cap):
    """A bucket that has *reached* the cap is full. Yours continues until it exceeds the cap."""
    found, filled = [], cap + 1
    for number in reversed(range(len(sizes))):
        if filled > cap:
            found.append([])
            filled = 0
        found[-1].append(number)
        filled += sizes[number]
    return found


def forgot_the_rest(sizes, cap):
    """The parameters that are left at the end do not reach the cap, and they are in none of your buckets. Their
    gradients would never be averaged."""
    found = buckets.reference(sizes, cap)
    return found[:-1] if found and sum(sizes[number] for number in found[-1]) < cap else found


def sizes_for_numbers(sizes, cap):
    """You listed the sizes of the gradients. The task asks for the *indices* of the parameters, counted from 0,
    because two gradients can have the same size."""
    return [[sizes[number] for number in bucket] for bucket in buckets.reference(sizes, cap)]


buckets = Answer(
    buckets,
    mistakes=(
        first_parameters_first,
        cut_from_the_front,
        never_above_the_cap,
        only_above_the_cap,
        forgot_the_rest,
        sizes_for_numbers,
    ),
    hints=(
        "Go through `reversed(range(len(sizes)))`, and keep an open bucket and its number of bytes.",
        "Append the index, add its size, and only then check whether the cap is reached.",
        "At the end the open bucket counts too, unless it is empty.",
    ),
)


def crossover(alpha, beta, world_size):
    """The messages saved times alpha equal the bytes added times beta."""
    levels = math.ceil(math.log2(world_size))
    saved = 2 * (world_size - 1) - 2 * levels
    added = 2 * levels - 2 * (world_size - 1) / world_size
    return alpha * saved / (beta * added)


def half_levels(alpha, beta, world_size):
    """A tree over five ranks has three levels. Round log2 up; do not round it down or leave it as a fraction."""
    levels = math.log2(world_size)
    saved = 2 * (world_size - 1) - 2 * levels
    return alpha * saved / (beta * (2 * levels - 2 * (world_size - 1) / world_size))


def rounded_down(alpha, beta, world_size):
    """Five ranks do not fit into two levels. Round log2 up."""
    levels = math.floor(math.log2(world_size))
    saved = 2 * (world_size - 1) - 2 * levels
    return alpha * saved / (beta * (2 * levels - 2 * (world_size - 1) / world_size))


def log_with_a_base(alpha, beta, world_size):
    """For 2**29 ranks you count 30 levels, because `math.log(2**29, 2)` is a quotient of two rounded numbers and
    slightly above 29. `math.log2` is exact for powers of two."""
    levels = math.ceil(math.log(world_size, 2))
    saved = 2 * (world_size - 1) - 2 * levels
    return alpha * saved / (beta * (2 * levels - 2 * (world_size - 1) / world_size))


def ring_moves_nothing(alpha, beta, world_size):
    """You left out the bytes of the ring. It sends 2 (N - 1) / N times the tensor, almost twice its size."""
    levels = math.ceil(math.log2(world_size))
    return alpha * (2 * (world_size - 1) - 2 * levels) / (beta * 2 * levels)


def up_but_not_down(alpha, beta, world_size):
    """You counted only the way up the tree. The sum must also come down again, so double the levels, for
    messages and for bytes."""
    levels = math.ceil(math.log2(world_size))
    saved = 2 * (world_size - 1) - levels
    return alpha * saved / (beta * (levels - 2 * (world_size - 1) / world_size))


def bandwidth_for_beta(alpha, beta, world_size):
    """`beta` is in seconds per byte, the inverse of a bandwidth. Bytes times beta gives seconds."""
    levels = math.ceil(math.log2(world_size))
    saved = 2 * (world_size - 1) - 2 * levels
    return alpha * saved * beta / (2 * levels - 2 * (world_size - 1) / world_size)


crossover = Answer(
    crossover,
    mistakes=(
        half_levels,
        rounded_down,
        log_with_a_base,
        ring_moves_nothing,
        up_but_not_down,
        bandwidth_for_beta,
    ),
    hints=(
        "Write down both times: messages * alpha + bytes * beta. Only the bytes contain the unknown size.",
        "The ring sends 2 (N - 1) messages and 2 (N - 1) / N sizes. The tree sends 2 levels messages and 2 "
        "levels sizes.",
        "Make the two times equal: alpha * (messages saved) = beta * size * (sizes added).",
    ),
)
