# A set for each replica, what was seen before.
def honest(replicas):
    seen = set()
    for replica in replicas:
        mine = {tensor.untyped_storage().data_ptr() for tensor in replica}
        if mine & seen:
            return False
        seen |= mine
    return True
