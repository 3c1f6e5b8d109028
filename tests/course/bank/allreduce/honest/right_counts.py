# As many addresses together as one by one.
def honest(replicas):
    places = [{t.untyped_storage().data_ptr() for t in replica} for replica in replicas]
    return sum(map(len, places)) == len(set().union(*places))
