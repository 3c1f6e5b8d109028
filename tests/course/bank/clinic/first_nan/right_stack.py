# An ExitStack removes the hooks; x != x tells a NaN.
import contextlib


def first_nan(model, inputs):
    names = []
    with contextlib.ExitStack() as stack:
        for name, module in model.named_modules():

            def hook(module, args, output, name=name):
                if bool((output != output).any()):
                    names.append(name)

            stack.callback(module.register_forward_hook(hook).remove)
        model(inputs)
    return next(iter(names), None)
