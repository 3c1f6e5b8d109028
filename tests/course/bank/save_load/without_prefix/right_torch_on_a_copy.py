# PyTorch's own helper, which works in place, on a shallow copy.
from torch.nn.modules.utils import consume_prefix_in_state_dict_if_present


def without_prefix(state_dict, prefix):
    copied = dict(state_dict)
    consume_prefix_in_state_dict_if_present(copied, prefix)
    return copied
