# Refuses tied weights inside one replica.
def honest(replicas):
    places = [tensor.untyped_storage().data_ptr() for replica in replicas for tensor in replica]
    return len(places) == len(set(places))
