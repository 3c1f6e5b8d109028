# Takes the last child for the head.
def freeze(model, head):
    for child in list(model.children())[:-1]:
        child.requires_grad_(False).eval()
