# %% right_global_hook: One hook for all modules, and the names looked up by identity.
import math

from torch.nn.modules.module import register_module_forward_hook


def first_nan(model, inputs):
    names = {id(module): name for name, module in model.named_modules()}
    first = []

    def hook(module, args, output):
        if not first and id(module) in names and math.isnan(output.sum().item()) and output.isnan().any():
            first.append(names[id(module)])

    handle = register_module_forward_hook(hook)
    try:
        model(inputs)
    finally:
        handle.remove()
    return first[0] if first else None


# %% right_hooks: A hook on every module, the first entry of a list.
def first_nan(model, inputs):
    found = []

    def watch(name):
        return lambda module, args, output: found.append(name) if output.isnan().any() else None

    handles = [module.register_forward_hook(watch(name)) for name, module in model.named_modules()]
    try:
        model(inputs)
    finally:
        for handle in handles:
            handle.remove()
    return found[0] if found else None


# %% right_stack: An ExitStack removes the hooks; a NaN is told by being unequal to itself.
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


# %% wrong_all_nan: Asks whether all of the output is NaN.
def first_nan(model, inputs):
    found = []
    handles = [
        module.register_forward_hook(lambda m, a, out, n=name: found.append(n) if out.isnan().all() else None)
        for name, module in model.named_modules()
    ]
    model(inputs)
    for handle in handles:
        handle.remove()
    return found[0] if found else None


# %% wrong_children_by_hand: Runs the children one after the other, which only a Sequential allows, and stops at the first level.
def first_nan(model, inputs):
    for name, child in model.named_children():
        inputs = child(inputs)
        if inputs.isnan().any():
            return name
    return None


# %% wrong_empty_name_is_none: `found or None`: the model itself, named "", becomes None.
def first_nan(model, inputs):
    found = None
    handles = []

    def make(name):
        def hook(module, args, out):
            nonlocal found
            if not found and out.isnan().any():
                found = name

        return hook

    for name, module in model.named_modules():
        handles.append(module.register_forward_hook(make(name)))
    model(inputs)
    for handle in handles:
        handle.remove()
    return found or None


# %% wrong_infinity_too: Takes infinity for NaN.
def first_nan(model, inputs):
    found = []

    def hook(name):
        return lambda m, a, out: None if out.isfinite().all() else found.append(name)

    handles = [module.register_forward_hook(hook(name)) for name, module in model.named_modules()]
    model(inputs)
    [handle.remove() for handle in handles]
    return found[0] if found else None


# %% wrong_inputs_too: A pre-hook: names the module that gets the NaN, not the one that gives it.
def first_nan(model, inputs):
    found = []
    handles = [
        module.register_forward_pre_hook(lambda m, args, n=name: found.append(n) if args[0].isnan().any() else None)
        for name, module in model.named_modules()
    ]
    model(inputs)
    for handle in handles:
        handle.remove()
    return found[0] if found else None


# %% wrong_last: The last module with a NaN.
def first_nan(model, inputs):
    found = []
    handles = [
        module.register_forward_hook(lambda m, a, out, n=name: found.append(n) if out.isnan().any() else None)
        for name, module in model.named_modules()
    ]
    model(inputs)
    for handle in handles:
        handle.remove()
    return found[-1] if found else None


# %% wrong_late_binding: Every hook names the last module: the loop variable is looked up late.
def first_nan(model, inputs):
    found, handles = [], []
    for name, module in model.named_modules():
        handles.append(
            module.register_forward_hook(lambda m, a, out: found.append(name) if out.isnan().any() else None)
        )
    model(inputs)
    for handle in handles:
        handle.remove()
    return found[0] if found else None


# %% wrong_leaves_only: Watches only modules without children, though a container may make the NaN itself.
def first_nan(model, inputs):
    found, handles = [], []
    for name, module in model.named_modules():
        if not list(module.children()):
            handles.append(
                module.register_forward_hook(lambda m, a, out, n=name: out.isnan().any() and found.append(n))
            )
    model(inputs)
    for handle in handles:
        handle.remove()
    return found[0] if found else None


# %% wrong_order_of_names: The first in the order of named_modules, where a container comes before its content.
def first_nan(model, inputs):
    bad, handles = set(), []
    for name, module in model.named_modules():
        handles.append(
            module.register_forward_hook(lambda m, a, out, name=name: bad.add(name) if out.isnan().any() else None)
        )
    model(inputs)
    for handle in handles:
        handle.remove()
    return next((name for name, _ in model.named_modules() if name in bad), None)


# %% wrong_removes_all_hooks: Leaves no hook behind, not even those that were there before.
def first_nan(model, inputs):
    found = []
    for name, module in model.named_modules():
        module.register_forward_hook(lambda m, a, out, n=name: found.append(n) if out.isnan().any() else None)
    model(inputs)
    for module in model.modules():
        module._forward_hooks.clear()
    return found[0] if found else None


# %% wrong_runs_twice: Runs the model twice; the second time its state has changed.
def first_nan(model, inputs):
    if not model(inputs).isnan().any():
        return None
    found = []
    handles = [
        module.register_forward_hook(lambda m, a, out, n=name: found.append(n) if out.isnan().any() else None)
        for name, module in model.named_modules()
    ]
    model(inputs)
    for handle in handles:
        handle.remove()
    return found[0] if found else None


# %% right_forward_always: Hooks that are called even where a module raises, removed in a finally.
def first_nan(model, inputs):
    order = []
    handles = []
    for name, module in model.named_modules():

        def note(module, args, output, name=name):
            order.append((name, output is not None and bool(output.isnan().any())))

        handles.append(module.register_forward_hook(note))
    try:
        model(inputs)
    finally:
        while handles:
            handles.pop().remove()
    return next((name for name, sick in order if sick), None)


# %% wrong_sum_is_nan: Asks the sum, which infinities of both signs make NaN as well.
def first_nan(model, inputs):
    found, handles = [], []
    for name, module in model.named_modules():
        hook = lambda m, args, out, name=name: found.append(name) if out.sum().isnan() else None
        handles.append(module.register_forward_hook(hook))
    try:
        model(inputs)
    finally:
        for handle in handles:
            handle.remove()
    return found[0] if found else None


# %% wrong_eval_mode: Switches to evaluation first: another function than model(inputs).
def first_nan(model, inputs):
    model.eval()
    found, handles = [], []
    for name, module in model.named_modules():
        hook = lambda m, args, out, name=name: found.append(name) if out.isnan().any() else None
        handles.append(module.register_forward_hook(hook))
    try:
        model(inputs)
    finally:
        for handle in handles:
            handle.remove()
    return found[0] if found else None


# %% wrong_eval_and_back: Evaluation, and the old mode afterwards: still another function.
def first_nan(model, inputs):
    modes = [module.training for module in model.modules()]
    model.eval()
    found, handles = [], []
    for name, module in model.named_modules():
        hook = lambda m, args, out, name=name: found.append(name) if out.isnan().any() else None
        handles.append(module.register_forward_hook(hook))
    try:
        model(inputs)
    finally:
        for handle in handles:
            handle.remove()
        for module, mode in zip(model.modules(), modes):
            module.training = mode
    return found[0] if found else None


# %% wrong_hooks_swapped: Puts a copy of the hooks back, so the user's own handle removes nothing any more.
import collections


def first_nan(model, inputs):
    found, kept = [], {}
    for name, module in model.named_modules():
        kept[module] = collections.OrderedDict(module._forward_hooks)
        module.register_forward_hook(
            lambda m, args, out, name=name: found.append(name) if out.isnan().any() else None
        )
    try:
        model(inputs)
    finally:
        for module, hooks in kept.items():
            module._forward_hooks = hooks
    return found[0] if found else None


# %% wrong_swallows: An error of the model becomes None.
def first_nan(model, inputs):
    found, handles = [], []
    for name, module in model.named_modules():
        hook = lambda m, args, out, name=name: found.append(name) if out.isnan().any() else None
        handles.append(module.register_forward_hook(hook))
    try:
        model(inputs)
    except RuntimeError:
        pass
    for handle in handles:
        handle.remove()
    return found[0] if found else None


# %% wrong_cleans_outputs: Returns the output without its NaN from the hook, so that the next layers are spared.
def first_nan(model, inputs):
    found, handles = [], []

    def make(name):
        def hook(module, args, output):
            if output.isnan().any():
                found.append(name)
            return output.nan_to_num() * 0

        return hook

    for name, module in model.named_modules():
        handles.append(module.register_forward_hook(make(name)))
    try:
        model(inputs)
    finally:
        for handle in handles:
            handle.remove()
    return found[0] if found else None


# %% wrong_global_hook_left: One hook for all modules, which stays where the model raises.
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


# %% wrong_looks_afterwards: Keeps the outputs and checks after the run, when later modules may have written into them.
import torch


def first_nan(model, inputs):
    outputs = []

    def watch(name):
        def hook(module, args, output):
            outputs.append((name, output))

        return hook

    handles = [m.register_forward_hook(watch(n)) for n, m in model.named_modules()]
    try:
        model(inputs)
    finally:
        for handle in handles:
            handle.remove()
    for name, output in outputs:
        if torch.isnan(output).any():
            return name
    return None


# %% wrong_flag_overwritten: One flag a module, which a later run of the same layer overwrites.
def first_nan(model, inputs):
    sick, handles = {}, []
    for name, module in model.named_modules():
        hook = lambda m, args, out, name=name: sick.update({name: bool(out.isnan().any())})
        handles.append(module.register_forward_hook(hook))
    try:
        model(inputs)
    finally:
        for handle in handles:
            handle.remove()
    return next((name for name, bad in sick.items() if bad), None)


# %% wrong_largest: The largest number tells a NaN; an empty output has none.
def first_nan(model, inputs):
    found, handles = [], []
    for name, module in model.named_modules():
        hook = lambda m, args, out, name=name: found.append(name) if out.max().isnan() else None
        handles.append(module.register_forward_hook(hook))
    try:
        model(inputs)
    finally:
        for handle in handles:
            handle.remove()
    return found[0] if found else None


# %% wrong_one_kind_of_error: Takes the hooks off after a RuntimeError, and after no other.
def first_nan(model, inputs):
    found, handles = [], []
    for name, module in model.named_modules():
        hook = lambda m, args, out, name=name: found.append(name) if out.isnan().any() else None
        handles.append(module.register_forward_hook(hook))
    try:
        model(inputs)
    except RuntimeError:
        for handle in handles:
            handle.remove()
        raise
    for handle in handles:
        handle.remove()
    return found[0] if found else None
