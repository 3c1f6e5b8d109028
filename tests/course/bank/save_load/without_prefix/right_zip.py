# New names by map, paired with the old values.
from collections import OrderedDict


def without_prefix(state_dict, prefix):
    names = map(lambda name: str.removeprefix(name, prefix), state_dict.keys())
    return OrderedDict(zip(names, state_dict.values(), strict=True))
