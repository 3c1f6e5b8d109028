# Quiets the whole model and wakes the head again.
def freeze(model, head):
    model.eval().requires_grad_(False)
    model.get_submodule(head).train().requires_grad_(True)
