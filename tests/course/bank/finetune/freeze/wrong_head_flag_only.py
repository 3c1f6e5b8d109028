# Quiets everything and then sets the head's own flag: what is inside it stays quiet.
def freeze(model, head):
    model.requires_grad_(False)
    model.eval()
    layer = getattr(model, head)
    layer.requires_grad_(True)
    layer.training = True
