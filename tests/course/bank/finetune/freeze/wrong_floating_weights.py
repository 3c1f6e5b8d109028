# Freezes matrices only: biases and the weights of norms have one dimension and stay trainable.
def freeze(model, head):
    for name, child in model.named_children():
        if name != head:
            child.eval()
            for parameter in child.parameters():
                if parameter.ndim > 1:
                    parameter.requires_grad_(False)
