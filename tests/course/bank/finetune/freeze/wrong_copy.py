# Freezes a copy and returns it; the model itself is as it was.
import copy


def freeze(model, head):
    frozen = copy.deepcopy(model)
    for name, child in frozen.named_children():
        if name != head:
            child.eval()
            child.requires_grad_(False)
    return frozen
