# Raises a RuntimeError where a shape differs, as load_state_dict does.
def match_names(theirs, ours):
    for own, other in zip(ours.values(), theirs.values(), strict=True):
        if own.shape != other.shape:
            raise RuntimeError(f"size mismatch: {own.shape} and {other.shape}")
    return dict(zip(ours, theirs.values()))
