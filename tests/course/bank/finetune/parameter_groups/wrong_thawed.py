# Makes frozen parameters trainable on the way, so that they get their rate.
def parameter_groups(model, head, lr):
    rest, top = [], []
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(True)
        (top if name.split(".")[0] == head else rest).append(parameter)
    return [{"params": top, "lr": lr}, {"params": rest, "lr": lr / 10}]
