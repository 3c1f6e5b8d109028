# Deals one card after the other until all have equally many and none is left.
def rank_indices(length, world_size):
    hands = [[] for _ in range(world_size)]
    card = 0
    while card < length or card % world_size:
        hands[card % world_size].append(card % length)
        card += 1
    return hands
