# Looks only at children that own parameters: a dropout layer owns none and stays in training mode.
def freeze(model, head):
    for name, child in model.named_children():
        parameters = list(child.parameters())
        if name != head and parameters:
            child.eval()
            for parameter in parameters:
                parameter.requires_grad = False
