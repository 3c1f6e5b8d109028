# %% right_randperm: A permutation of the sorted names, by a generator of torch.
import torch


def split_by(groups, share, seed):
    names = sorted(set(groups))
    count = min(max(round(share * len(names)), 1), len(names) - 1)
    chance = torch.Generator().manual_seed(seed)
    chosen = {names[i] for i in torch.randperm(len(names), generator=chance).tolist()[:count]}
    train = [i for i, group in enumerate(groups) if group not in chosen]
    val = [i for i, group in enumerate(groups) if group in chosen]
    return train, val


# %% right_random_sample: random.Random of its own and sample.
import random


def split_by(groups, share, seed):
    names = sorted(set(groups))
    n = round(share * len(names))
    n = 1 if n < 1 else min(n, len(names) - 1)
    val_names = set(random.Random(seed).sample(names, n))
    val = [i for i in range(len(groups)) if groups[i] in val_names]
    train = [i for i in range(len(groups)) if groups[i] not in val_names]
    return train, val


# %% right_numpy: NumPy's default_rng of its own, np.unique and isin.
import numpy as np


def split_by(groups, share, seed):
    names = np.unique(groups)
    count = int(np.clip(round(share * len(names)), 1, len(names) - 1))
    chosen = np.random.default_rng(seed).choice(names, count, replace=False)
    inside = np.isin(groups, chosen)
    return np.flatnonzero(~inside).tolist(), np.flatnonzero(inside).tolist()


# %% right_hashed: Orders the names by a hash of seed and name: a draw without a generator.
import hashlib


def split_by(groups, share, seed):
    names = sorted(set(groups), key=lambda name: hashlib.sha256(f"{seed}/{name}".encode()).digest())
    count = max(1, min(len(names) - 1, round(share * len(names))))
    chosen = frozenset(names[:count])
    sides = [], []
    for index, group in enumerate(groups):
        sides[group in chosen].append(index)
    return sides


# %% wrong_by_sample: Draws samples, not groups.
import torch


def split_by(groups, share, seed):
    order = torch.randperm(len(groups), generator=torch.Generator().manual_seed(seed)).tolist()
    count = min(max(round(share * len(groups)), 1), len(groups) - 1)
    return sorted(order[count:]), sorted(order[:count])


# %% wrong_set_order: Forgets to sort the names: a set has another order in each Python.
import torch


def split_by(groups, share, seed):
    names = list(set(groups))
    count = min(max(round(share * len(names)), 1), len(names) - 1)
    chance = torch.Generator().manual_seed(seed)
    chosen = {names[i] for i in torch.randperm(len(names), generator=chance).tolist()[:count]}
    train = [i for i, group in enumerate(groups) if group not in chosen]
    val = [i for i, group in enumerate(groups) if group in chosen]
    return train, val


# %% wrong_first_seen: Draws among the names in the order in which they come.
import torch


def split_by(groups, share, seed):
    names = list(dict.fromkeys(groups))
    count = min(max(round(share * len(names)), 1), len(names) - 1)
    chance = torch.Generator().manual_seed(seed)
    chosen = {names[i] for i in torch.randperm(len(names), generator=chance).tolist()[:count]}
    train = [i for i, group in enumerate(groups) if group not in chosen]
    val = [i for i, group in enumerate(groups) if group in chosen]
    return train, val


# %% wrong_global_seed: Seeds torch's global generator.
import torch


def split_by(groups, share, seed):
    torch.manual_seed(seed)
    names = sorted(set(groups))
    count = min(max(round(share * len(names)), 1), len(names) - 1)
    chosen = {names[i] for i in torch.randperm(len(names)).tolist()[:count]}
    inside = [group in chosen for group in groups]
    return [i for i, yes in enumerate(inside) if not yes], [i for i, yes in enumerate(inside) if yes]


# %% wrong_numpy_seed: Seeds NumPy's global generator.
import numpy as np


def split_by(groups, share, seed):
    np.random.seed(seed)
    names = np.random.permutation(sorted(set(groups))).tolist()
    count = min(max(round(share * len(names)), 1), len(names) - 1)
    chosen = set(names[:count])
    train = [i for i, group in enumerate(groups) if group not in chosen]
    return train, [i for i, group in enumerate(groups) if group in chosen]


# %% wrong_random_seed: Seeds the module random.
import random


def split_by(groups, share, seed):
    random.seed(seed)
    names = sorted(set(groups))
    random.shuffle(names)
    count = min(max(round(share * len(names)), 1), len(names) - 1)
    chosen = set(names[:count])
    train = [i for i, group in enumerate(groups) if group not in chosen]
    return train, [i for i, group in enumerate(groups) if group in chosen]


# %% wrong_shuffled_list: Shuffles the caller's list.
import random


def split_by(groups, share, seed):
    names = sorted(set(groups))
    count = min(max(round(share * len(names)), 1), len(names) - 1)
    chosen = set(random.Random(seed).sample(names, count))
    groups.sort()
    train = [i for i, group in enumerate(groups) if group not in chosen]
    return train, [i for i, group in enumerate(groups) if group in chosen]


# %% wrong_floor: Always rounds down.
import torch


def split_by(groups, share, seed):
    names = sorted(set(groups))
    count = min(max(int(share * len(names)), 1), len(names) - 1)
    chance = torch.Generator().manual_seed(seed)
    chosen = {names[i] for i in torch.randperm(len(names), generator=chance).tolist()[:count]}
    train = [i for i, group in enumerate(groups) if group not in chosen]
    val = [i for i, group in enumerate(groups) if group in chosen]
    return train, val


# %% wrong_half_up: Rounds a half up, where `round` goes to the even number.
import torch


def split_by(groups, share, seed):
    names = sorted(set(groups))
    count = min(max(int(share * len(names) + 0.5), 1), len(names) - 1)
    chance = torch.Generator().manual_seed(seed)
    chosen = {names[i] for i in torch.randperm(len(names), generator=chance).tolist()[:count]}
    train = [i for i, group in enumerate(groups) if group not in chosen]
    val = [i for i, group in enumerate(groups) if group in chosen]
    return train, val


# %% wrong_empty_train: At least one in val, but train may be empty.
import torch


def split_by(groups, share, seed):
    names = sorted(set(groups))
    count = max(round(share * len(names)), 1)
    chance = torch.Generator().manual_seed(seed)
    chosen = {names[i] for i in torch.randperm(len(names), generator=chance).tolist()[:count]}
    train = [i for i, group in enumerate(groups) if group not in chosen]
    val = [i for i, group in enumerate(groups) if group in chosen]
    return train, val


# %% wrong_empty_val: Val may be empty.
import torch


def split_by(groups, share, seed):
    names = sorted(set(groups))
    count = min(round(share * len(names)), len(names) - 1)
    chance = torch.Generator().manual_seed(seed)
    chosen = {names[i] for i in torch.randperm(len(names), generator=chance).tolist()[:count]}
    train = [i for i, group in enumerate(groups) if group not in chosen]
    val = [i for i, group in enumerate(groups) if group in chosen]
    return train, val


# %% wrong_by_size: Takes groups until val has its share of the samples.
import random


def split_by(groups, share, seed):
    names = sorted(set(groups))
    random.Random(seed).shuffle(names)
    val = []
    for name in names[:-1]:
        if val and len(val) >= share * len(groups):
            break
        val += [i for i, group in enumerate(groups) if group == name]
    return sorted(set(range(len(groups))) - set(val)), sorted(val)


# %% wrong_neighbours: A random start, then the names that follow: not every choice can be drawn.
import random


def split_by(groups, share, seed):
    names = sorted(set(groups))
    count = min(max(round(share * len(names)), 1), len(names) - 1)
    start = random.Random(seed).randrange(len(names))
    chosen = {names[(start + i) % len(names)] for i in range(count)}
    train = [i for i, group in enumerate(groups) if group not in chosen]
    return train, [i for i, group in enumerate(groups) if group in chosen]


# %% wrong_modulo: The seed, modulo, is the start: no draw.
import itertools


def split_by(groups, share, seed):
    names = sorted(set(groups))
    count = min(max(round(share * len(names)), 1), len(names) - 1)
    choices = list(itertools.combinations(names, count)) if len(names) < 9 else [tuple(names[seed % 9 :][:count])]
    chosen = choices[seed % len(choices)]
    train = [i for i, group in enumerate(groups) if group not in chosen]
    return train, [i for i, group in enumerate(groups) if group in chosen]


# %% wrong_seed_ignored: Draws with an unseeded generator.
import random


def split_by(groups, share, seed):
    names = sorted(set(groups))
    count = min(max(round(share * len(names)), 1), len(names) - 1)
    chosen = set(random.Random().sample(names, count))
    train = [i for i, group in enumerate(groups) if group not in chosen]
    return train, [i for i, group in enumerate(groups) if group in chosen]


# %% wrong_seed_constant: The generator's seed is always 0.
import torch


def split_by(groups, share, seed):
    names = sorted(set(groups))
    count = min(max(round(share * len(names)), 1), len(names) - 1)
    chance = torch.Generator().manual_seed(0)
    chosen = {names[i] for i in torch.randperm(len(names), generator=chance).tolist()[:count]}
    train = [i for i, group in enumerate(groups) if group not in chosen]
    val = [i for i, group in enumerate(groups) if group in chosen]
    return train, val


# %% wrong_weighted_by_samples: Draws among the samples' names, so a group with many samples is drawn more often.
import random


def split_by(groups, share, seed):
    count = min(max(round(share * len(set(groups))), 1), len(set(groups)) - 1)
    shuffled = sorted(groups)
    random.Random(seed).shuffle(shuffled)
    chosen = list(dict.fromkeys(shuffled))[:count]
    train = [i for i, group in enumerate(groups) if group not in chosen]
    return train, [i for i, group in enumerate(groups) if group in chosen]


# %% wrong_exchanged: Returns val first.
import torch


def split_by(groups, share, seed):
    names = sorted(set(groups))
    count = min(max(round(share * len(names)), 1), len(names) - 1)
    chance = torch.Generator().manual_seed(seed)
    chosen = {names[i] for i in torch.randperm(len(names), generator=chance).tolist()[:count]}
    train = [i for i, group in enumerate(groups) if group not in chosen]
    val = [i for i, group in enumerate(groups) if group in chosen]
    return val, train


# %% wrong_not_increasing: Indices group by group.
import random


def split_by(groups, share, seed):
    names = sorted(set(groups))
    count = min(max(round(share * len(names)), 1), len(names) - 1)
    random.Random(seed).shuffle(names)
    places = [[i for i, group in enumerate(groups) if group == name] for name in names]
    return sum(places[count:], []), sum(places[:count], [])


# %% wrong_tensors: Returns tensors of indices.
import torch


def split_by(groups, share, seed):
    names = sorted(set(groups))
    count = min(max(round(share * len(names)), 1), len(names) - 1)
    chance = torch.Generator().manual_seed(seed)
    chosen = {names[i] for i in torch.randperm(len(names), generator=chance).tolist()[:count]}
    train = [i for i, group in enumerate(groups) if group not in chosen]
    val = [i for i, group in enumerate(groups) if group in chosen]
    return torch.tensor(train), torch.tensor(val)


# %% wrong_list_of_two: Returns a list of two lists.
import torch


def split_by(groups, share, seed):
    names = sorted(set(groups))
    count = min(max(round(share * len(names)), 1), len(names) - 1)
    chance = torch.Generator().manual_seed(seed)
    chosen = {names[i] for i in torch.randperm(len(names), generator=chance).tolist()[:count]}
    train = [i for i, group in enumerate(groups) if group not in chosen]
    val = [i for i, group in enumerate(groups) if group in chosen]
    return [train, val]


# %% wrong_salted_hash: Orders the names by `hash`, which each Python salts otherwise.
def split_by(groups, share, seed):
    names = sorted(set(groups), key=lambda name: hash((seed, name)))
    count = min(max(round(share * len(names)), 1), len(names) - 1)
    chosen = names[:count]
    train = [i for i, group in enumerate(groups) if group not in chosen]
    return train, [i for i, group in enumerate(groups) if group in chosen]


# %% wrong_floor_again: cuts the number of groups off instead of rounding it
import random


def split_by(groups, share, seed):
    names = sorted(set(groups))
    k = min(max(int(share * len(names)), 1), len(names) - 1)
    chosen = set(random.Random(seed).sample(names, k))
    train = [i for i, g in enumerate(groups) if g not in chosen]
    return train, [i for i, g in enumerate(groups) if g in chosen]


# %% wrong_first_appearance: the draw depends on the order in which the names come
import random


def split_by(groups, share, seed):
    names = list(dict.fromkeys(groups))
    k = min(max(round(share * len(names)), 1), len(names) - 1)
    chosen = set(random.Random(seed).sample(names, k))
    train = [i for i, g in enumerate(groups) if g not in chosen]
    return train, [i for i, g in enumerate(groups) if g in chosen]


# %% wrong_set_order_again: shuffles a set's order, another one in every Python process
import random


def split_by(groups, share, seed):
    names = list(set(groups))
    random.Random(seed).shuffle(names)
    k = min(max(round(share * len(names)), 1), len(names) - 1)
    chosen = set(names[:k])
    train = [i for i, g in enumerate(groups) if g not in chosen]
    return train, [i for i, g in enumerate(groups) if g in chosen]


# %% wrong_sorted_without_case: names that differ only in case stay in the set's order, another one in every process
import random


def split_by(groups, share, seed):
    names = sorted(set(groups), key=str.casefold)
    k = min(max(round(share * len(names)), 1), len(names) - 1)
    chosen = set(random.Random(seed).sample(names, k))
    train = [i for i, g in enumerate(groups) if g not in chosen]
    return train, [i for i, g in enumerate(groups) if g in chosen]


# %% wrong_global_seed_again: seeds the global generator of torch and leaves it so
import torch


def split_by(groups, share, seed):
    names = sorted(set(groups))
    k = min(max(round(share * len(names)), 1), len(names) - 1)
    torch.manual_seed(seed)
    chosen = {names[i] for i in torch.randperm(len(names))[:k].tolist()}
    train = [i for i, g in enumerate(groups) if g not in chosen]
    return train, [i for i, g in enumerate(groups) if g in chosen]


# %% wrong_empty_train_again: a large share takes all groups, none stays in train
import random


def split_by(groups, share, seed):
    names = sorted(set(groups))
    k = max(round(share * len(names)), 1)
    chosen = set(random.Random(seed).sample(names, k))
    train = [i for i, g in enumerate(groups) if g not in chosen]
    return train, [i for i, g in enumerate(groups) if g in chosen]


# %% wrong_window: neighbours in the alphabet from a drawn start, so most choices never come
import random


def split_by(groups, share, seed):
    names = sorted(set(groups))
    k = min(max(round(share * len(names)), 1), len(names) - 1)
    start = random.Random(seed).randrange(len(names))
    chosen = {names[(start + j) % len(names)] for j in range(k)}
    train = [i for i, g in enumerate(groups) if g not in chosen]
    return train, [i for i, g in enumerate(groups) if g in chosen]


# %% wrong_group_after_group: the indices come group by group, not increasing
import random


def split_by(groups, share, seed):
    where = {}
    for i, g in enumerate(groups):
        where.setdefault(g, []).append(i)
    names = sorted(where)
    k = min(max(round(share * len(names)), 1), len(names) - 1)
    random.Random(seed).shuffle(names)
    val = [i for g in names[:k] for i in where[g]]
    train = [i for g in names[k:] for i in where[g]]
    return train, val


# %% right_torch_generator: sorted names, a permutation from an own torch generator, indices by a boolean mask
import torch


def split_by(groups, share, seed):
    names = sorted(set(groups))
    number = {name: i for i, name in enumerate(names)}
    k = min(max(round(share * len(names)), 1), len(names) - 1)
    order = torch.randperm(len(names), generator=torch.Generator().manual_seed(seed))
    held = torch.zeros(len(names), dtype=torch.bool)
    held[order[:k]] = True
    is_val = held[torch.tensor([number[g] for g in groups])]
    return (~is_val).nonzero().flatten().tolist(), is_val.nonzero().flatten().tolist()


# %% right_digest_ranking: the names ranked by a SHA-256 of seed and name, no generator at all
from hashlib import sha256


def split_by(groups, share, seed):
    def rank(name):
        text = f"{seed}\n{name}".encode("utf-8", "surrogatepass")
        return sha256(text).digest()

    names = sorted(set(groups), key=rank)
    n_val = max(1, min(len(names) - 1, round(share * len(names))))
    val_names = frozenset(names[:n_val])
    train, val = [], []
    for i, name in enumerate(groups):
        (val if name in val_names else train).append(i)
    return train, val


# %% right_unranked_combination: draws the number of the combination and writes it out
from math import comb
from random import Random


def split_by(groups, share, seed):
    names = sorted({*groups})
    n = len(names)
    k = round(share * n)
    if k < 1:
        k = 1
    elif k > n - 1:
        k = n - 1
    number = Random(seed).randrange(comb(n, k))
    chosen, need = set(), k
    for place, name in enumerate(names):
        if need == 0:
            break
        with_it = comb(n - place - 1, need - 1)
        if number < with_it:
            chosen.add(name)
            need -= 1
        else:
            number -= with_it
    parts = ([], [])
    for i, name in enumerate(groups):
        parts[name in chosen].append(i)
    return parts
