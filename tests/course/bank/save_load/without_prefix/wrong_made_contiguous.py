# Makes every tensor contiguous on the way: a transposed one is copied.
def without_prefix(state_dict, prefix):
    return {name.removeprefix(prefix): tensor.contiguous() for name, tensor in state_dict.items()}
