# Writes requires_grad to the module, where it means nothing.
def freeze(model, head):
    for name, child in model.named_children():
        if name != head:
            child.requires_grad = False
            child.eval()
