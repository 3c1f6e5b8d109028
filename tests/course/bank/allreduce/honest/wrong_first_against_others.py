# Only the first replica is compared with the others.
def honest(replicas):
    first = {t.untyped_storage().data_ptr() for t in replicas[0]} if replicas else set()
    return not any(t.untyped_storage().data_ptr() in first for replica in replicas[1:] for t in replica)
