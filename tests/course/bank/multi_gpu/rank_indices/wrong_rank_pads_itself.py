# Each short rank repeats its own first index.
def rank_indices(length, world_size):
    each = -(-length // world_size)
    dealt = []
    for rank in range(world_size):
        mine = list(range(rank, length, world_size)) or [0]
        dealt.append((mine * each)[:each])
    return dealt
