# Pads with one slice from the beginning, too short when ranks outnumber indices by far.
def rank_indices(length, world_size):
    indices = list(range(length))
    missing = -length % world_size
    indices += indices[:missing]
    return [indices[rank::world_size] for rank in range(world_size)]
