# Lets each child apply a function to all of its modules.
def freeze(model, head):
    def still(module):
        module.eval()
        for parameter in module._parameters.values():
            if parameter is not None:
                parameter.requires_grad_(False)

    spared = getattr(model, head)
    for child in filter(lambda child: child is not spared, model.children()):
        child.apply(still)
