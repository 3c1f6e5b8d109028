# %% right_backwards_loop: Walks from the end, so that a later find with equally much wins.
def freest_gpu(records):
    best = None
    for number in reversed(range(len(records))):
        _, free, there = records[number]
        if there and (best is None or not free < records[best][1]):
            best = number
    return best


# %% right_max_default: max over the numbers that are there, with a default.
def freest_gpu(records):
    here = (i for i, record in enumerate(records) if record[2])
    return max(here, key=lambda i: records[i][1], default=None)


# %% right_numpy: NumPy: lost GPUs get minus infinity, argmax takes the first.
import numpy as np


def freest_gpu(records):
    there = np.array([record[2] for record in records], dtype=bool)
    free = np.array([record[1] for record in records], dtype=np.float64)
    return int(np.where(there, free, -np.inf).argmax()) if there.any() else None


# %% right_sorted: Sorts pairs of falling memory and rising number.
def freest_gpu(records):
    order = sorted((-free, number) for number, (_, free, there) in enumerate(records) if there)
    return order[0][1] if order else None


# %% right_tensor: Hands back a tensor with one number, which the comparison takes for the number.
import torch


def freest_gpu(records):
    if not any(record[2] for record in records):
        return None
    room = torch.tensor([free if there else -1 for _, free, there in records])
    return room.argmax()


# %% wrong_all_lost_is_zero: Where every GPU has disappeared, it says 0.
def freest_gpu(records):
    if not records:
        return None
    return max(range(len(records)), key=lambda i: records[i][1] if records[i][2] else float("-inf"))


# %% wrong_counts_from_one: Numbers the GPUs from 1.
def freest_gpu(records):
    here = [(free, -i) for i, (_, free, there) in enumerate(records, 1) if there]
    return -max(here)[1] if here else None


# %% wrong_empty_crashes: An empty list of records makes max stop with an error.
def freest_gpu(records):
    best = max(range(len(records)), key=lambda i: (records[i][2], records[i][1]))
    return best if records[best][2] else None


# %% wrong_ends_at_lost: Stops at the first GPU that has disappeared, as the visible list does.
def freest_gpu(records):
    best = None
    for i, (_, free, there) in enumerate(records):
        if not there:
            break
        if best is None or free > records[best][1]:
            best = i
    return best


# %% wrong_first_not_asked: Starts from GPU 0 without asking whether it is there.
def freest_gpu(records):
    if not any(record[2] for record in records):
        return None
    best = 0
    for i in range(1, len(records)):
        if records[i][2] and records[i][1] > records[best][1]:
            best = i
    return best


# %% wrong_ignores_there: A GPU that has disappeared is chosen too.
def freest_gpu(records):
    if not any(there for _, _, there in records):
        return None
    return max(range(len(records)), key=lambda i: records[i][1])


# %% wrong_index_of_value: Looks for the largest figure in all records, so a lost GPU with the same figure is found.
def freest_gpu(records):
    frees = [record[1] for record in records]
    present = [record[1] for record in records if record[2]]
    return frees.index(max(present)) if present else None


# %% wrong_largest_total: Chooses by the whole memory, not by the free part.
def freest_gpu(records):
    here = [i for i, record in enumerate(records) if record[2]]
    return max(here, key=lambda i: records[i][0], default=None)


# %% wrong_last_not_seen: The loop ends before the last GPU.
def freest_gpu(records):
    best = None
    for i in range(len(records) - 1):
        if records[i][2] and (best is None or records[i][1] > records[best][1]):
            best = i
    return best


# %% wrong_last_tie: Of several with equally much it takes the last.
def freest_gpu(records):
    best, most = None, -1
    for number, (_, free, there) in enumerate(records):
        if there and free >= most:
            best, most = number, free
    return best


# %% wrong_least_used: Chooses the GPU with the least memory in use.
def freest_gpu(records):
    used = [(total - free, i) for i, (total, free, there) in enumerate(records) if there]
    return min(used)[1] if used else None


# %% wrong_marks_in_place: Crosses out lost GPUs in the list that was given.
def freest_gpu(records):
    for i, (total, _, there) in enumerate(records):
        if not there:
            records[i] = (total, -1, there)
    best = max(range(len(records)), key=lambda i: records[i][1], default=None)
    return best if best is not None and records[best][2] else None


# %% wrong_minus_one: Says -1 where no GPU is there.
def freest_gpu(records):
    best, most = -1, -1.0
    for i in range(len(records)):
        total, free, there = records[i]
        if there and free > most:
            best, most = i, free
    return best


# %% wrong_number_after_filter: Counts only the GPUs that are there.
def freest_gpu(records):
    free = [free for _, free, there in records if there]
    return free.index(max(free)) if free else None


# %% wrong_returns_free: Hands back the free memory in the place of the number.
def freest_gpu(records):
    return max((free for _, free, there in records if there), default=None)


# %% wrong_share_free: Chooses by the free share of the memory.
def freest_gpu(records):
    here = [i for i, record in enumerate(records) if record[2]]
    return max(here, key=lambda i: records[i][1] / records[i][0], default=None)


# %% wrong_sorts_argument: Sorts the list that was given, so its order is lost with the numbers.
def freest_gpu(records):
    records.sort(key=lambda record: (record[2], record[1]), reverse=True)
    return 0 if records and records[0][2] else None


# %% wrong_times_there: Counts a lost GPU as 0 free, which ties with a full one.
def freest_gpu(records):
    if not any(record[2] for record in records):
        return None
    room = [free * there for _, free, there in records]
    return room.index(max(room))


# %% wrong_total_breaks_tie: Of several with equally much it takes the largest GPU.
def freest_gpu(records):
    here = [(free, total, -i) for i, (total, free, there) in enumerate(records) if there]
    return -max(here)[2] if here else None


# %% wrong_whole_gigabytes: Cuts the figures to whole gigabytes, so 9.9 and 9.1 are a tie.
def freest_gpu(records):
    room = {i: int(free) for i, (_, free, there) in enumerate(records) if there}
    return max(room, key=room.get) if room else None


# %% wrong_zero_free_is_gone: A GPU with 0 free never beats the start value 0.
def freest_gpu(records):
    best, most = None, 0
    for number, (_, free, there) in enumerate(records):
        if there and free > most:
            best, most = number, free
    return best


# %% wrong_zero_or_none: GPU 0 is taken for no GPU.
def freest_gpu(records):
    best = None
    for i, (_, free, there) in enumerate(records):
        if there and (best is None or free > records[best][1]):
            best = i
    return best or None
