# %% right_by_class: Asks whether it is a Subset; the bit generator is written out.
import numpy as np
from torch.utils.data import Subset


def reseed(info):
    data = info.dataset
    while isinstance(data, Subset) or hasattr(data, "dataset"):
        data = data.dataset
    setattr(data, "rng", np.random.Generator(np.random.PCG64(info.seed)))


# %% right_recursion: Goes down by recursion, one wrapper a call.
import numpy as np


def innermost(data):
    return innermost(data.dataset) if hasattr(data, "dataset") else data


def reseed(info):
    innermost(info.dataset).rng = np.random.default_rng(info.seed)


# %% right_until_it_fails: Goes down until there is nothing further to go to.
import numpy as np


def reseed(info):
    place = info.dataset
    try:
        while True:
            place = place.dataset
    except AttributeError:
        place.rng = np.random.default_rng(info.seed)


# %% wrong_half_seed: Halves the seed: two neighbours get one.
import numpy as np


def reseed(info):
    data = info.dataset
    while hasattr(data, "dataset"):
        data = data.dataset
    data.rng = np.random.default_rng(info.seed // 2)


# %% wrong_id_only: Seeds by the worker's number: the same in every epoch and every run.
import numpy as np


def reseed(info):
    data = info.dataset
    while hasattr(data, "dataset"):
        data = data.dataset
    data.rng = np.random.default_rng(info.id)


# %% wrong_kept: Keeps the generator if there is one already.
import numpy as np


def reseed(info):
    data = info.dataset
    while hasattr(data, "dataset"):
        data = data.dataset
    if not hasattr(data, "rng"):
        data.rng = np.random.default_rng(info.seed)


# %% wrong_list_seed: Seeds with seed and number in a list, which is another seed.
import numpy as np


def reseed(info):
    data = info.dataset
    while hasattr(data, "dataset"):
        data = data.dataset
    data.rng = np.random.default_rng([info.seed, info.id])


# %% wrong_masked_seed: Cuts the seed to 32 bits, so that other seeds give the same numbers.
import numpy as np


def reseed(info):
    data = info.dataset
    while hasattr(data, "dataset"):
        data = data.dataset
    data.rng = np.random.default_rng(info.seed % 2**16)


# %% wrong_one_level: Opens one wrapper and no more.
import numpy as np


def reseed(info):
    inner = getattr(info.dataset, "dataset", info.dataset)
    inner.rng = np.random.default_rng(info.seed)


# %% wrong_other_name: Gives the generator another name.
import numpy as np


def reseed(info):
    data = info.dataset
    while hasattr(data, "dataset"):
        data = data.dataset
    data.generator = np.random.default_rng(info.seed)


# %% wrong_random_state: The older kind of generator, with other numbers.
import numpy as np


def reseed(info):
    data = info.dataset
    while hasattr(data, "dataset"):
        data = data.dataset
    data.rng = np.random.RandomState(info.seed % 2**32)


# %% wrong_returns_it: Makes the generator and returns it; nobody keeps it.
import numpy as np


def reseed(info):
    return np.random.default_rng(info.seed)


# %% wrong_seed_and_id: Adds the number once more.
import numpy as np


def reseed(info):
    data = info.dataset
    while hasattr(data, "dataset"):
        data = data.dataset
    data.rng = np.random.default_rng(info.seed + info.id)


# %% wrong_spent_generator: Draws a number to look at it, so the next ones are shifted.
import numpy as np


def reseed(info):
    data = info.dataset
    while hasattr(data, "dataset"):
        data = data.dataset
    data.rng = np.random.default_rng(info.seed)
    data.rng.random()


# %% wrong_text_seed: Seeds with the length of the number.
import numpy as np


def reseed(info):
    data = info.dataset
    while hasattr(data, "dataset"):
        data = data.dataset
    data.rng = np.random.default_rng(len(str(info.seed)) + info.id)


# %% wrong_two_levels: Opens two wrappers at most, and needs two.
import numpy as np


def reseed(info):
    data = info.dataset.dataset.dataset
    data.rng = np.random.default_rng(info.seed)


# %% wrong_unwraps_for_good: Throws the wrapper away, and with it the choice of samples.
import numpy as np


def reseed(info):
    while hasattr(info.dataset, "dataset"):
        info.dataset = info.dataset.dataset
    info.dataset.rng = np.random.default_rng(info.seed)


# %% wrong_returns_too: Sets it, and returns the generator as well.
import numpy as np


def reseed(info):
    data = info.dataset
    while hasattr(data, "dataset"):
        data = data.dataset
    data.rng = np.random.default_rng(info.seed)
    return data.rng


# %% wrong_state_written: Writes into the generator that is there; where none is, it raises.
import numpy as np


def reseed(info):
    data = info.dataset
    while hasattr(data, "dataset"):
        data = data.dataset
    data.rng.bit_generator.state = np.random.default_rng(info.seed).bit_generator.state


# %% wrong_32_bits: Cuts the seed to 32 bits.
import numpy as np


def reseed(info):
    data = info.dataset
    while hasattr(data, "dataset"):
        data = data.dataset
    data.rng = np.random.default_rng(info.seed % 2**32)


# %% wrong_truth_of_a_set: Takes a data set of length 0 for none at all.
import numpy as np


def reseed(info):
    data = info.dataset
    while getattr(data, "dataset", None):
        data = data.dataset
    data.rng = np.random.default_rng(info.seed)


# %% wrong_every_level: Seeds every level on the way down.
import numpy as np


def reseed(info):
    data = info.dataset
    data.rng = np.random.default_rng(info.seed)
    while hasattr(data, "dataset"):
        data = data.dataset
        data.rng = np.random.default_rng(info.seed)


# %% wrong_last_with_rng: The deepest level that has one already.
import numpy as np


def reseed(info):
    data, found = info.dataset, None
    while data is not None:
        if hasattr(data, "rng"):
            found = data
        data = getattr(data, "dataset", None)
    if found is not None:
        found.rng = np.random.default_rng(info.seed)


# %% wrong_rewinds_old_generator: Sets the state of the old generator, which a wrapper may share.
import numpy as np


def reseed(info):
    data = info.dataset
    while hasattr(data, "dataset"):
        data = data.dataset
    fresh = np.random.default_rng(info.seed)
    if isinstance(getattr(data, "rng", None), np.random.Generator):
        data.rng.bit_generator.state = fresh.bit_generator.state
    else:
        data.rng = fresh
