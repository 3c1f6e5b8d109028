# Takes off `module.` whatever prefix is asked for.
def without_prefix(state_dict, prefix="module."):
    start = len("module.")
    return {(name[start:] if name[:start] == "module." else name): state_dict[name] for name in state_dict}
