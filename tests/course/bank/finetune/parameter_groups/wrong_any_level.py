# Takes every part of a name: a layer deeper inside that is called like the head joins it.
def parameter_groups(model, head, lr):
    rest, top = [], []
    for name, parameter in model.named_parameters():
        (top if head in name.split(".") else rest).append(parameter)
    return [{"params": rest, "lr": lr / 10}, {"params": top, "lr": lr}]
