# Calls eval() and then takes train() away from every child but the head, the head's insides included.
def freeze(model, head):
    for name, parameter in model.named_parameters():
        parameter.requires_grad = name.split(".")[0] == head
    for name, module in model.named_modules():
        if name not in ("", head):
            module.eval()
