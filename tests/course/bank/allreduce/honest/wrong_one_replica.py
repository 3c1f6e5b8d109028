# Says that a replica alone is not honest.
def honest(replicas):
    places = [{t.untyped_storage().data_ptr() for t in replica} for replica in replicas]
    return len(places) > 1 and sum(map(len, places)) == len(set().union(*places))
