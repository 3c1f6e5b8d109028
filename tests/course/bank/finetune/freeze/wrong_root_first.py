# The first of all modules is the model itself: its eval() reaches into the head.
def freeze(model, head):
    layer = getattr(model, head)
    inside = set(layer.modules())
    for module in model.modules():
        if module not in inside:
            module.eval()
    model.requires_grad_(False)
    layer.requires_grad_(True)
