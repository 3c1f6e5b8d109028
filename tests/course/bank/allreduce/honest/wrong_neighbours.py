# Compares each replica with the next one only.
def honest(replicas):
    places = [{t.untyped_storage().data_ptr() for t in replica} for replica in replicas]
    return all(not (one & other) for one, other in zip(places, places[1:]))
