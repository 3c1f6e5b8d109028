# Every pair of replicas.
from itertools import combinations


def honest(replicas):
    places = [frozenset(t.untyped_storage().data_ptr() for t in replica) for replica in replicas]
    return all(one.isdisjoint(other) for one, other in combinations(places, 2))
