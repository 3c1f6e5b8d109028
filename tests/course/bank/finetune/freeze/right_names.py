# Goes by the first word of each name, of parameters and modules alike.
def freeze(model, head):
    for name, parameter in model.named_parameters():
        if name.split(".")[0] != head:
            parameter.requires_grad = False
    for name, module in model.named_modules():
        if name and name.split(".")[0] != head:
            module.training = False
