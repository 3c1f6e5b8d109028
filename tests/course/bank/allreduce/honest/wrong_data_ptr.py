# Compares where the views begin, not their storages.
def honest(replicas):
    seen = set()
    for replica in replicas:
        mine = {tensor.data_ptr() for tensor in replica}
        if mine & seen:
            return False
        seen |= mine
    return True
