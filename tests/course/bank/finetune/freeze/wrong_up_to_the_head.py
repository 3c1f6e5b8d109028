# Stops at the head: what comes after it stays as it was.
def freeze(model, head):
    for name, child in model.named_children():
        if name == head:
            break
        child.requires_grad_(False)
        child.eval()
