# %% right_combinations: Every pair of replicas.
from itertools import combinations


def honest(replicas):
    places = [frozenset(t.untyped_storage().data_ptr() for t in replica) for replica in replicas]
    return all(one.isdisjoint(other) for one, other in combinations(places, 2))


# %% right_counts: As many addresses together as one by one.
def honest(replicas):
    places = [{t.untyped_storage().data_ptr() for t in replica} for replica in replicas]
    return sum(map(len, places)) == len(set().union(*places))


# %% right_owner: A dictionary from address to replica.
def honest(replicas):
    owner = {}
    for number, replica in enumerate(replicas):
        for tensor in replica:
            if owner.setdefault(tensor.untyped_storage().data_ptr(), number) != number:
                return False
    return True


# %% right_sets: A set for each replica, what was seen before.
def honest(replicas):
    seen = set()
    for replica in replicas:
        mine = {tensor.untyped_storage().data_ptr() for tensor in replica}
        if mine & seen:
            return False
        seen |= mine
    return True


# %% wrong_all_shared: Complains only if every storage is shared.
def honest(replicas):
    places = [{t.untyped_storage().data_ptr() for t in replica} for replica in replicas]
    return not any(a and a <= b for i, a in enumerate(places) for b in places[i + 1 :])


# %% wrong_contiguous_only: Looks at the first half of each replica's tensors.
def honest(replicas):
    owner = {}
    for number, replica in enumerate(replicas):
        for tensor in replica[: max(1, len(replica) // 2)]:
            if owner.setdefault(tensor.untyped_storage().data_ptr(), number) != number:
                return False
    return True


# %% wrong_count: Compares the number of different addresses with the expected one, by the first replica.
def honest(replicas):
    places = {t.untyped_storage().data_ptr() for replica in replicas for t in replica}
    return len(places) == len(replicas) * len(replicas[0]) if replicas else True


# %% wrong_data_ptr: Compares where the views begin, not their storages.
def honest(replicas):
    seen = set()
    for replica in replicas:
        mine = {tensor.data_ptr() for tensor in replica}
        if mine & seen:
            return False
        seen |= mine
    return True


# %% wrong_equal_values: Takes equal numbers for the same memory.
import torch


def honest(replicas):
    for i, one in enumerate(replicas):
        for other in replicas[i + 1 :]:
            if any(a.shape == b.shape and torch.equal(a, b) for a, b in zip(one, other)):
                return False
    return True


# %% wrong_first_against_others: Only the first replica is compared with the others.
def honest(replicas):
    first = {t.untyped_storage().data_ptr() for t in replicas[0]} if replicas else set()
    return not any(t.untyped_storage().data_ptr() in first for replica in replicas[1:] for t in replica)


# %% wrong_first_and_last: Compares only the first replica with the last one.
def honest(replicas):
    if len(replicas) < 2:
        return True
    first = {tensor.untyped_storage().data_ptr() for tensor in replicas[0]}
    return first.isdisjoint(tensor.untyped_storage().data_ptr() for tensor in replicas[-1])


# %% wrong_is: Asks whether it is the same Python object: a view is another one.
def honest(replicas):
    for i, one in enumerate(replicas):
        for other in replicas[i + 1 :]:
            if any(a is b for a in one for b in other):
                return False
    return True


# %% wrong_neighbours: Compares each replica with the next one only.
def honest(replicas):
    places = [{t.untyped_storage().data_ptr() for t in replica} for replica in replicas]
    return all(not (one & other) for one, other in zip(places, places[1:]))


# %% wrong_number: Returns how many storages are shared, not a yes or no.
def honest(replicas):
    places = [{t.untyped_storage().data_ptr() for t in replica} for replica in replicas]
    return len(set().union(*places)) - sum(map(len, places)) + 1


# %% wrong_one_replica: Says that a replica alone is not honest.
def honest(replicas):
    places = [{t.untyped_storage().data_ptr() for t in replica} for replica in replicas]
    return len(places) > 1 and sum(map(len, places)) == len(set().union(*places))


# %% wrong_same_position: Compares tensors of the same position only.
def honest(replicas):
    for parts in zip(*replicas):
        places = [tensor.untyped_storage().data_ptr() for tensor in parts]
        if len(set(places)) < len(places):
            return False
    return True


# %% wrong_upside_down: True where something is shared.
def honest(replicas):
    seen = set()
    for replica in replicas:
        mine = {tensor.untyped_storage().data_ptr() for tensor in replica}
        if mine & seen:
            return True
        seen |= mine
    return False


# %% wrong_within_too: Refuses tied weights inside one replica.
def honest(replicas):
    places = [tensor.untyped_storage().data_ptr() for replica in replicas for tensor in replica]
    return len(places) == len(set(places))


# %% wrong_writes: Writes into the replicas to find out, and does not put the numbers back.
def honest(replicas):
    for i, one in enumerate(replicas):
        before = [[t.clone() for t in other] for other in replicas[:i]]
        for tensor in one:
            tensor.add_(1)
        for other, old in zip(replicas[:i], before):
            if any((a != b).any() for a, b in zip(other, old)):
                return False
    return True


# %% wrong_overlap: Asks whether the bytes from the first to the last element of two tensors overlap.
def honest(replicas):
    spans = []
    for number, replica in enumerate(replicas):
        for tensor in replica:
            last = sum((size - 1) * step for size, step in zip(tensor.shape, tensor.stride(), strict=True))
            begin = tensor.data_ptr()
            spans.append((begin, begin + (last + 1) * tensor.element_size(), number))
    return not any(i != j and a < d and c < b for k, (a, b, i) in enumerate(spans) for c, d, j in spans[k + 1 :])


# %% wrong_writing_reaches: The chapter's own test: writes to one and looks at the other, number by number.
import torch


def honest(replicas):
    for i, ours in enumerate(replicas):
        for theirs in replicas[i + 1 :]:
            for one in ours:
                for other in theirs:
                    with torch.no_grad():
                        kept, before = one.clone(), other.clone()
                        one.copy_(one == 0)
                        seen = not torch.equal(other, before)
                        one.copy_(kept)
                    if seen:
                        return False
    return True


# %% wrong_address_in_row: Makes each tensor contiguous first, which copies some.
def honest(replicas):
    owner = {}
    for number, replica in enumerate(replicas):
        kept = [tensor.contiguous() for tensor in replica]
        for tensor, original in zip(kept, replica, strict=True):
            place = tensor.untyped_storage().data_ptr() if tensor is original else object()
            if owner.setdefault(place, number) != number:
                return False
    return True


# %% wrong_first_two: Compares the first replica with the second, and that is all.
def honest(replicas):
    if len(replicas) < 2:
        return True
    one, other = ({tensor.untyped_storage().data_ptr() for tensor in replica} for replica in replicas[:2])
    return not one & other


# %% wrong_outer_tensors: Looks at the first and at the last tensor of each replica.
def honest(replicas):
    owner = {}
    for number, replica in enumerate(replicas):
        for tensor in (replica[0], replica[-1]):
            if owner.setdefault(tensor.untyped_storage().data_ptr(), number) != number:
                return False
    return True


# %% wrong_tensor_of_truth: A tensor of no dimension instead of True or False.
import torch


def honest(replicas):
    places = [{t.untyped_storage().data_ptr() for t in replica} for replica in replicas]
    return torch.tensor(sum(map(len, places)) == len(set().union(*places)))


# %% right_offset: Counts back from the first number to where the storage begins.
def honest(replicas):
    def begin(tensor):
        return tensor.data_ptr() - tensor.storage_offset() * tensor.element_size()

    pairs = {(begin(tensor), number) for number, replica in enumerate(replicas) for tensor in replica}
    return len(pairs) == len({place for place, _ in pairs})
