# Pads with the last indices instead of the first ones.
def rank_indices(length, world_size):
    indices = list(range(length))
    missing = -length % world_size
    while missing:
        part = indices[-missing:]
        indices, missing = indices + part, missing - len(part)
    return [indices[rank::world_size] for rank in range(world_size)]
