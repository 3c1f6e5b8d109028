# Sets the child's flag by hand, and what is inside it stays in training mode.
def freeze(model, head):
    for name, child in model.named_children():
        if name != head:
            child.requires_grad_(False)
            child.training = False
