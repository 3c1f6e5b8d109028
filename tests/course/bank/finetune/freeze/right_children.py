# A loop over the children, with train() and requires_grad_() of one condition.
def freeze(model, head):
    for name, child in model.named_children():
        child.train(name == head)
        if name != head:
            child.requires_grad_(False)
