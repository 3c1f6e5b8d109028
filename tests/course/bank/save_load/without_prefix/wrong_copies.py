# Deep copies: the tensors are equal to the old ones, and not the same.
import copy


def without_prefix(state_dict, prefix):
    fresh = copy.deepcopy(dict(state_dict))
    for name in list(fresh):
        if name.startswith(prefix):
            fresh[name[len(prefix) :]] = fresh.pop(name)
    return fresh
