# A loop with startswith and a slice.
def without_prefix(state_dict, prefix):
    renamed = {}
    for name in state_dict:
        short = name[len(prefix) :] if name[: len(prefix)] == prefix else name
        renamed[short] = state_dict[name]
    return renamed
