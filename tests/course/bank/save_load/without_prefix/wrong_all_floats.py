# Turns all tensors into float32: a counter of type int64 becomes another tensor.
def without_prefix(state_dict, prefix):
    result = dict()
    for name, tensor in state_dict.items():
        key = name[len(prefix) :] if name.startswith(prefix) else name
        result[key] = tensor.float()
    return result
