# True where something is shared.
def honest(replicas):
    seen = set()
    for replica in replicas:
        mine = {tensor.untyped_storage().data_ptr() for tensor in replica}
        if mine & seen:
            return True
        seen |= mine
    return False
