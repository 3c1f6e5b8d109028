# Moves everything that has a `to`, a module among them, which is neither tensor nor container.


def move_to(batch, device):
    if hasattr(batch, "to"):
        return batch.to(device)
    elif isinstance(batch, dict):
        return {key: move_to(value, device) for key, value in batch.items()}
    elif isinstance(batch, (list, tuple)):
        return type(batch)([move_to(value, device) for value in batch])
    else:
        return batch
