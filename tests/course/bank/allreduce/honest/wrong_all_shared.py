# Complains only if every storage is shared.
def honest(replicas):
    places = [{t.untyped_storage().data_ptr() for t in replica} for replica in replicas]
    return not any(a and a <= b for i, a in enumerate(places) for b in places[i + 1 :])
