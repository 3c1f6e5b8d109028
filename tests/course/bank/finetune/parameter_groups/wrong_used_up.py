# One iterator over all names feeds both groups: the second finds nothing left.
def parameter_groups(model, head, lr):
    named = model.named_parameters()
    rest = [p for name, p in named if not name.startswith(head + ".")]
    top = [p for name, p in named if name.startswith(head + ".")]
    return [{"params": rest, "lr": lr / 10}, {"params": top, "lr": lr}]
