# Asks with `in` whether a list holds a parameter: that compares numbers, and shapes that differ raise.
def parameter_groups(model, head, lr):
    top = list(getattr(model, head).parameters())
    rest = [p for p in model.parameters() if p not in top]
    return [{"params": rest, "lr": lr / 10}, {"params": top, "lr": lr}]
