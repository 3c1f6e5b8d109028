# Returns how many storages are shared, not a yes or no.
def honest(replicas):
    places = [{t.untyped_storage().data_ptr() for t in replica} for replica in replicas]
    return len(set().union(*places)) - sum(map(len, places)) + 1
