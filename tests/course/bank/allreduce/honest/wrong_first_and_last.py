# Compares only the first replica with the last one.
def honest(replicas):
    if len(replicas) < 2:
        return True
    first = {tensor.untyped_storage().data_ptr() for tensor in replicas[0]}
    return first.isdisjoint(tensor.untyped_storage().data_ptr() for tensor in replicas[-1])
