# Compares tensors of the same position only.
def honest(replicas):
    for parts in zip(*replicas):
        places = [tensor.untyped_storage().data_ptr() for tensor in parts]
        if len(set(places)) < len(places):
            return False
    return True
