# Knows a head of one layer only: its weight and its bias.
def parameter_groups(model, head, lr):
    layer = getattr(model, head)
    top = [layer.weight, layer.bias]
    rest = [p for p in model.parameters() if all(p is not q for q in top)]
    return [{"params": rest, "lr": lr / 10}, {"params": top, "lr": lr}]
