# Hands train() the wrong way round: the head is quiet and the rest is not.
def freeze(model, head):
    for name, child in model.named_children():
        child.requires_grad_(name == head)
        child.train(name != head)
