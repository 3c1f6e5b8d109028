# No recursion: a list of work to do, and the tuples are closed at the end.
import torch


def move_to(batch, device):
    root = [batch]
    todo, tuples = [(root, 0)], []
    while todo:
        place, key = todo.pop()
        value = place[key]
        if isinstance(value, torch.Tensor):
            place[key] = value.to(device)
        elif isinstance(value, dict):
            place[key] = dict(value)
            todo.extend((place[key], inner) for inner in value)
        elif isinstance(value, (list, tuple)):
            place[key] = list(value)
            todo.extend((place[key], inner) for inner in range(len(value)))
            if isinstance(value, tuple):
                tuples.append((place, key))
    for place, key in reversed(tuples):
        place[key] = tuple(place[key])
    return root[0]
