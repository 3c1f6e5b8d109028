# Runs the children one after the other, which only a Sequential allows, and stops at the first level.
def first_nan(model, inputs):
    for name, child in model.named_children():
        inputs = child(inputs)
        if inputs.isnan().any():
            return name
    return None
