# Compares the number of different addresses with the expected one, by the first replica.
def honest(replicas):
    places = {t.untyped_storage().data_ptr() for replica in replicas for t in replica}
    return len(places) == len(replicas) * len(replicas[0]) if replicas else True
