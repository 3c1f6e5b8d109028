# One hook for all modules, and the names looked up by identity.
import math

from torch.nn.modules.module import register_module_forward_hook


def first_nan(model, inputs):
    names = {id(module): name for name, module in model.named_modules()}
    first = []

    def hook(module, args, output):
        if not first and id(module) in names and math.isnan(output.sum().item()) and output.isnan().any():
            first.append(names[id(module)])

    handle = register_module_forward_hook(hook)
    model(inputs)
    handle.remove()
    return first[0] if first else None
