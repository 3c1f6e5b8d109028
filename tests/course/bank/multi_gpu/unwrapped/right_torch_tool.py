# Torch's own tool on a copy, if every name has the prefix.
from torch.nn.modules.utils import consume_prefix_in_state_dict_if_present


def unwrapped(state):
    copy = dict(state)
    if sum(name.startswith("module.") for name in copy) == len(copy):
        consume_prefix_in_state_dict_if_present(copy, "module.")
    return copy
