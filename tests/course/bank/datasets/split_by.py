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


# %% wrong_by_sample: Draws samples.
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


# %% wrong_floor: Rounds down.
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
