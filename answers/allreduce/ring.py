# %% right_adds_into_message: Adds into the message that arrived, which is its own now.
def ring(chunks, rank, world_size):
    for step in range(world_size - 1):
        arrived = yield chunks[(rank - step) % world_size]
        arrived += chunks[(rank - step - 1) % world_size]
        chunks[(rank - step - 1) % world_size] = arrived
    for step in range(world_size - 1, 2 * (world_size - 1)):
        chunks[(rank - step - 1) % world_size] = yield chunks[(rank - step) % world_size]
    return chunks


# %% right_copy_first: Works on clones and adds in place; sends clones.
def ring(chunks, rank, world_size):
    mine = [c.clone() for c in chunks]
    at = rank
    for _ in range(world_size - 1):
        arrived = yield mine[at].clone()
        at = (at - 1) % world_size
        mine[at].add_(arrived)
    for _ in range(world_size - 1):
        arrived = yield mine[at].clone()
        at = (at - 1) % world_size
        mine[at].copy_(arrived)
    return mine


# %% right_delegation: Two helper generators and `yield from`.
def half(chunks, at, times, combine):
    for _ in range(times):
        arrived = yield chunks[at]
        at = (at - 1) % len(chunks)
        chunks[at] = combine(chunks[at], arrived)
    return at


def ring(chunks, rank, world_size):
    chunks = list(chunks)
    at = yield from half(chunks, rank, world_size - 1, lambda mine, arrived: arrived + mine)
    yield from half(chunks, at, world_size - 1, lambda mine, arrived: arrived)
    return chunks


# %% wrong_alone_sends: Sends a message also when it is alone.
def ring(chunks, rank, world_size):
    for step in range(max(1, 2 * (world_size - 1))):
        arrived = yield chunks[(rank - step) % world_size]
        into = (rank - step - 1) % world_size
        chunks[into] = chunks[into] + arrived if step < world_size - 1 else arrived
    return chunks


# %% wrong_forgets_return: Ends without the chunks.
def ring(chunks, rank, world_size):
    for step in range(2 * (world_size - 1)):
        arrived = yield chunks[(rank - step) % world_size]
        into = (rank - step - 1) % world_size
        chunks[into] = chunks[into] + arrived if step < world_size - 1 else arrived


# %% wrong_mean: The mean over the ranks.
def ring(chunks, rank, world_size):
    for step in range(2 * (world_size - 1)):
        arrived = yield chunks[(rank - step) % world_size]
        into = (rank - step - 1) % world_size
        chunks[into] = chunks[into] + arrived if step < world_size - 1 else arrived
    return [chunk / world_size for chunk in chunks]


# %% wrong_naive_chunks: Every chunk goes all the way round by itself: N (N - 1) messages.
def ring(chunks, rank, world_size):
    sums = [c.clone() for c in chunks]
    for i in range(world_size):
        travelling = chunks[i]
        for _ in range(world_size - 1):
            travelling = yield travelling
            sums[i] = sums[i] + travelling
    return sums


# %% wrong_one_step_short: The last copy is missing.
def ring(chunks, rank, world_size):
    for step in range(2 * (world_size - 1) - 1):
        arrived = yield chunks[(rank - step) % world_size]
        into = (rank - step - 1) % world_size
        chunks[into] = chunks[into] + arrived if step < world_size - 1 else arrived
    return chunks


# %% wrong_pads: Cuts all chunks to the shortest length.
def ring(chunks, rank, world_size):
    shortest = min(len(c) for c in chunks)
    chunks = [c[:shortest] for c in chunks]
    for step in range(2 * (world_size - 1)):
        arrived = yield chunks[(rank - step) % world_size]
        into = (rank - step - 1) % world_size
        chunks[into] = chunks[into] + arrived if step < world_size - 1 else arrived
    return chunks


# %% wrong_rotated: The sums, beginning with this rank's own chunk.
def ring(chunks, rank, world_size):
    for step in range(2 * (world_size - 1)):
        arrived = yield chunks[(rank - step) % world_size]
        into = (rank - step - 1) % world_size
        chunks[into] = chunks[into] + arrived if step < world_size - 1 else arrived
    return chunks[rank:] + chunks[:rank]


# %% wrong_two_ranks_only: One exchange and one copy, enough for two ranks.
def ring(chunks, rank, world_size):
    if world_size == 1:
        return chunks
    arrived = yield chunks[rank]
    into = (rank - 1) % world_size
    chunks[into] = chunks[into] + arrived
    chunks[rank] = yield chunks[into]
    return chunks


# %% wrong_whole_list: Sends everything in every message.
import torch


def ring(chunks, rank, world_size):
    mine = torch.cat(chunks)
    total, travelling = mine.clone(), mine
    for _ in range(world_size - 1):
        travelling = yield travelling
        total = total + travelling
    return list(total.split([len(c) for c in chunks]))


# %% wrong_float: Adds in float32, whatever came.
def ring(chunks, rank, world_size):
    chunks = [chunk.float() for chunk in chunks]
    for step in range(2 * (world_size - 1)):
        arrived = yield chunks[(rank - step) % world_size]
        into = (rank - step - 1) % world_size
        chunks[into] = chunks[into] + arrived if step < world_size - 1 else arrived
    return chunks


# %% wrong_numbered: Sends the chunk's number along.
def ring(chunks, rank, world_size):
    for step in range(2 * (world_size - 1)):
        number, arrived = yield (rank - step) % world_size, chunks[(rank - step) % world_size]
        chunks[number] = chunks[number] + arrived if step < world_size - 1 else arrived
    return chunks


# %% wrong_double: Adds in float64 and converts back.
def ring(chunks, rank, world_size):
    kind = chunks[0].dtype
    chunks = [chunk.double() for chunk in chunks]
    for step in range(2 * (world_size - 1)):
        arrived = yield chunks[(rank - step) % world_size]
        into = (rank - step - 1) % world_size
        chunks[into] = chunks[into] + arrived if step < world_size - 1 else arrived
    return [chunk.to(kind) for chunk in chunks]


# %% wrong_extra_step: One message more than needed, at the end.
def ring(chunks, rank, world_size):
    for step in range(2 * (world_size - 1)):
        arrived = yield chunks[(rank - step) % world_size]
        into = (rank - step - 1) % world_size
        chunks[into] = chunks[into] + arrived if step < world_size - 1 else arrived
    if world_size > 1:
        yield chunks[rank]
    return chunks


# %% wrong_stacked: One tensor of all sums instead of N chunks.
import torch


def ring(chunks, rank, world_size):
    for step in range(2 * (world_size - 1)):
        arrived = yield chunks[(rank - step) % world_size]
        into = (rank - step - 1) % world_size
        chunks[into] = chunks[into] + arrived if step < world_size - 1 else arrived
    return torch.cat(chunks)


# %% right_tuple: Hands the sums back as a tuple.
def ring(chunks, rank, world_size):
    for step in range(2 * (world_size - 1)):
        arrived = yield chunks[(rank - step) % world_size]
        into = (rank - step - 1) % world_size
        chunks[into] = chunks[into] + arrived if step < world_size - 1 else arrived
    return tuple(chunks)


# %% wrong_sum_promotes: stack and sum turn int32 into int64
import torch


def ring(chunks, rank, world_size):
    n = world_size
    for s in range(n - 1):
        arrived = yield chunks[(rank - s) % n]
        k = (rank - s - 1) % n
        chunks[k] = torch.stack([chunks[k], arrived]).sum(0)
    for s in range(n - 1):
        arrived = yield chunks[(rank + 1 - s) % n]
        chunks[(rank - s) % n] = arrived
    return chunks


# %% wrong_double_messages: Sends in float64, for the sake of the digits, and converts what is left at the end.
def ring(chunks, rank, world_size):
    kind = chunks[0].dtype
    if not kind.is_floating_point:
        kind = None
    mine = [chunk.double() if kind else chunk for chunk in chunks]
    for step in range(2 * (world_size - 1)):
        arrived = yield mine[(rank - step) % world_size]
        into = (rank - step - 1) % world_size
        mine[into] = mine[into] + arrived if step < world_size - 1 else arrived
    return [chunk.to(kind) if kind else chunk for chunk in mine]


# %% wrong_evened: Cuts anew into chunks of one size, and back at the end.
import torch


def ring(chunks, rank, world_size):
    sizes = [len(chunk) for chunk in chunks]
    mine = list(torch.cat(chunks).tensor_split(world_size))
    for step in range(2 * (world_size - 1)):
        arrived = yield mine[(rank - step) % world_size]
        into = (rank - step - 1) % world_size
        mine[into] = mine[into] + arrived if step < world_size - 1 else arrived
    return torch.cat(mine).split(sizes)


# %% wrong_numpy: Through NumPy, which has no bfloat16.
import torch


def ring(chunks, rank, world_size):
    mine = [chunk.numpy() for chunk in chunks]
    for step in range(2 * (world_size - 1)):
        arrived = (yield torch.from_numpy(mine[(rank - step) % world_size])).numpy()
        into = (rank - step - 1) % world_size
        mine[into] = mine[into] + arrived if step < world_size - 1 else arrived
    return [torch.from_numpy(one) for one in mine]


# %% right_other_direction: Begins with the next rank's chunk and keeps its own complete.
import torch


def ring(chunks, rank, world_size):
    place = (rank - 1) % world_size
    for _ in range(world_size - 1):
        arrived = yield chunks[place]
        place = (place - 1) % world_size
        torch.add(chunks[place], arrived, out=chunks[place])
    for _ in range(world_size - 1):
        arrived = yield chunks[place]
        place = (place - 1) % world_size
        chunks[place].copy_(arrived)
    return tuple(chunks)
