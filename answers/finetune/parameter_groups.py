# %% right_first_names: Goes by the first part of the names, with the dot after it.
def parameter_groups(model, head, lr):
    rest, top = [], []
    for name, parameter in model.named_parameters():
        if name.startswith(head + "."):
            top.append(parameter)
        else:
            rest.append(parameter)
    return [{"params": rest, "lr": lr / 10}, {"params": top, "lr": lr}]


# %% right_generators: Filters instead of lists, as an optimiser takes them too.
def parameter_groups(model, head, lr):
    inside = frozenset(dict(model.named_children())[head].parameters())
    return [
        dict(params=(p for p in model.parameters() if p not in inside), lr=lr / 10),
        dict(params=model._modules[head].parameters(), lr=lr),
    ]


# %% right_identity: Compares every parameter with every one of the head by `is`.
def parameter_groups(model, head, lr):
    layer = model.get_submodule(head)
    groups = [{"params": [], "lr": lr / 10}, {"params": [], "lr": lr}]
    for parameter in model.parameters():
        groups[any(parameter is other for other in layer.parameters())]["params"].append(parameter)
    return groups


# %% right_ids: The ids of the head's parameters decide.
def parameter_groups(model, head, lr):
    top = list(getattr(model, head).parameters())
    ids = {id(parameter) for parameter in top}
    rest = [parameter for parameter in model.parameters() if id(parameter) not in ids]
    return [{"params": top, "lr": lr}, {"params": rest, "lr": lr / 10}]


# %% right_recursion: Walks down the modules itself and never looks at a parameter twice.
def parameter_groups(model, head, lr):
    seen = set()

    def below(module):
        found = [p for p in module._parameters.values() if p is not None and id(p) not in seen]
        seen.update(map(id, found))
        for child in module.children():
            found += below(child)
        return found

    fast = below(getattr(model, head))
    return [dict(params=below(model), lr=lr / 10), dict(params=fast, lr=lr)]


# %% wrong_any_level: Takes every part of a name: a layer deeper inside that is called like the head joins it.
def parameter_groups(model, head, lr):
    rest, top = [], []
    for name, parameter in model.named_parameters():
        (top if head in name.split(".") else rest).append(parameter)
    return [{"params": rest, "lr": lr / 10}, {"params": top, "lr": lr}]


# %% wrong_begins_alike: Compares beginnings without the dot: `fc_norm` begins with `fc`.
def parameter_groups(model, head, lr):
    named = list(model.named_parameters())
    return [
        {"params": [p for name, p in named if not name.startswith(head)], "lr": lr / 10},
        {"params": [p for name, p in named if name.startswith(head)], "lr": lr},
    ]


# %% wrong_children_only: Goes through the children: a parameter of the model itself is in no group.
def parameter_groups(model, head, lr):
    groups = [{"params": [], "lr": lr / 10}, {"params": [], "lr": lr}]
    for name, child in model.named_children():
        groups[name == head]["params"] += list(child.parameters())
    return groups


# %% wrong_comparing_tensors: Asks with `in` whether a list holds a parameter: that compares numbers, and shapes that differ raise.
def parameter_groups(model, head, lr):
    top = list(getattr(model, head).parameters())
    rest = [p for p in model.parameters() if p not in top]
    return [{"params": rest, "lr": lr / 10}, {"params": top, "lr": lr}]


# %% wrong_dictionary: Returns a dictionary of two groups instead of a list.
def parameter_groups(model, head, lr):
    inside = set(getattr(model, head).parameters())
    return {
        "body": {"params": [p for p in model.parameters() if p not in inside], "lr": lr / 10},
        "head": {"params": list(inside), "lr": lr},
    }


# %% wrong_frozen_head_lost: Leaves out frozen parameters of the head alone.
def parameter_groups(model, head, lr):
    layer = model.get_submodule(head)
    inside = set(layer.parameters())
    return [
        {"params": [p for p in model.parameters() if p not in inside], "lr": lr / 10},
        {"params": [p for p in layer.parameters() if p.requires_grad], "lr": lr},
    ]


# %% wrong_frozen_lost: Leaves out what needs no gradient.
def parameter_groups(model, head, lr):
    groups = {True: [], False: []}
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            groups[name.partition(".")[0] == head].append(parameter)
    return [{"params": groups[False], "lr": lr / 10}, {"params": groups[True], "lr": lr}]


# %% wrong_head_not_below: Takes the head's own parameters without those of the layers inside it.
def parameter_groups(model, head, lr):
    top = list(getattr(model, head).parameters(recurse=False))
    seen = {id(p) for p in top}
    return [
        {"params": [p for p in model.parameters() if id(p) not in seen], "lr": lr / 10},
        {"params": top, "lr": lr},
    ]


# %% wrong_hundredth: Divides the rate twice: a hundredth for the body.
def parameter_groups(model, head, lr):
    slow = lr / 10
    inside = set(model._modules[head].parameters())
    others = [p for p in model.parameters() if p not in inside]
    return [{"params": others, "lr": slow / 10}, {"params": list(inside), "lr": lr}]


# %% wrong_last_child: Takes the last child for the head.
def parameter_groups(model, head, lr):
    *others, last = model.children()
    inside = {id(p) for p in last.parameters()}
    body = [p for p in model.parameters() if id(p) not in inside]
    return [{"params": body, "lr": lr / 10}, {"params": list(last.parameters()), "lr": lr}]


# %% wrong_rate_left_out: Leaves the head's rate to the optimiser's default.
def parameter_groups(model, head, lr):
    rest, top = [], []
    for name, parameter in model.named_parameters():
        if name.startswith(f"{head}."):
            top.append(parameter)
        else:
            rest.append(parameter)
    return [{"params": rest, "lr": lr / 10}, {"params": top}]


# %% wrong_shared_twice: A weight that two children share comes twice: once under each of its names.
def parameter_groups(model, head, lr):
    named = list(model.named_parameters(remove_duplicate=False))
    return [
        {"params": [p for name, p in named if name.split(".")[0] != head], "lr": lr / 10},
        {"params": [p for name, p in named if name.split(".")[0] == head], "lr": lr},
    ]


# %% wrong_thawed: Makes frozen parameters trainable on the way, so that they get their rate.
def parameter_groups(model, head, lr):
    rest, top = [], []
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(True)
        (top if name.split(".")[0] == head else rest).append(parameter)
    return [{"params": top, "lr": lr}, {"params": rest, "lr": lr / 10}]


# %% wrong_three_groups: Puts the one-dimensional parameters of the body into a third group.
def parameter_groups(model, head, lr):
    top, flat, rest = [], [], []
    for name, parameter in model.named_parameters():
        if name.startswith(head + "."):
            top.append(parameter)
        else:
            (flat if parameter.ndim < 2 else rest).append(parameter)
    return [
        {"params": rest, "lr": lr / 10},
        {"params": flat, "lr": lr / 10, "weight_decay": 0.0},
        {"params": top, "lr": lr},
    ]


# %% wrong_up_to_the_head: Stops at the head: children after it are in no group.
def parameter_groups(model, head, lr):
    body = []
    for name, child in model.named_children():
        if name == head:
            return [{"params": body, "lr": lr / 10}, {"params": list(child.parameters()), "lr": lr}]
        body.extend(child.parameters())
    raise AttributeError(head)


# %% wrong_used_up: One iterator over all names feeds both groups: the second finds nothing left.
def parameter_groups(model, head, lr):
    named = model.named_parameters()
    rest = [p for name, p in named if not name.startswith(head + ".")]
    top = [p for name, p in named if name.startswith(head + ".")]
    return [{"params": rest, "lr": lr / 10}, {"params": top, "lr": lr}]


# %% wrong_weight_and_bias: Knows a head of one layer only: its weight and its bias.
def parameter_groups(model, head, lr):
    layer = getattr(model, head)
    top = [layer.weight, layer.bias]
    rest = [p for p in model.parameters() if all(p is not q for q in top)]
    return [{"params": rest, "lr": lr / 10}, {"params": top, "lr": lr}]


# %% wrong_equal_values: Finds the head's parameters by their values: a bias of zeros in the body equals the head's.
import torch


def parameter_groups(model, head, lr):
    top = list(getattr(model, head).parameters())
    rest = [p for p in model.parameters() if not any(p.shape == q.shape and torch.equal(p, q) for q in top)]
    return [{"params": rest, "lr": lr / 10}, {"params": top, "lr": lr}]


# %% wrong_detaches_head: Takes the head off, lists the rest, puts it on again: it is the last child now.
def parameter_groups(model, head, lr):
    layer = getattr(model, head)
    delattr(model, head)
    rest = list(model.parameters())
    setattr(model, head, layer)
    return [{"params": rest, "lr": lr / 10}, {"params": list(layer.parameters()), "lr": lr}]


# %% wrong_data_ptr: Tells parameters apart by their addresses: those without elements all have one.
def parameter_groups(model, head, lr):
    top = {p.data_ptr(): p for p in getattr(model, head).parameters()}
    rest = {p.data_ptr(): p for p in model.parameters() if p.data_ptr() not in top}
    return [{"params": list(rest.values()), "lr": lr / 10}, {"params": list(top.values()), "lr": lr}]


# %% wrong_one_rate_rounded: Rounds the body's rate to six digits after the point.
def parameter_groups(model, head, lr):
    inside = {id(p) for p in model.get_submodule(head).parameters()}
    rest, top = [], []
    for p in model.parameters():
        (top if id(p) in inside else rest).append(p)
    return [{"params": top, "lr": lr}, {"params": rest, "lr": round(lr / 10, 4)}]


# %% wrong_sets_of_parameters: Hands sets of parameters on, which an optimizer refuses.
def parameter_groups(model, head, lr):
    top = set(getattr(model, head).parameters())
    return [{"params": set(model.parameters()) - top, "lr": lr / 10}, {"params": top, "lr": lr}]


# %% wrong_head_two_levels: Takes the head's parameters and those one level below, no deeper ones.
def parameter_groups(model, head, lr):
    layer = getattr(model, head)
    ids = {id(p) for module in (layer, *layer.children()) for p in module.parameters(recurse=False)}
    groups = [{"params": [], "lr": lr / 10}, {"params": [], "lr": lr}]
    for parameter in model.parameters():
        groups[id(parameter) in ids]["params"].append(parameter)
    return groups


# %% wrong_shared_in_the_head: Goes through the head's modules: what two of them share comes twice.
def parameter_groups(model, head, lr):
    top = [p for module in getattr(model, head).modules() for p in module.parameters(recurse=False)]
    ids = {id(p) for p in top}
    return [
        {"params": [p for p in model.parameters() if id(p) not in ids], "lr": lr / 10},
        {"params": top, "lr": lr},
    ]


# %% wrong_empty_group_dropped: Leaves out a group that holds no parameter.
def parameter_groups(model, head, lr):
    top = list(model.get_submodule(head).parameters())
    ids = {id(p) for p in top}
    rest = [p for p in model.parameters() if id(p) not in ids]
    return [{"params": some, "lr": rate} for some, rate in ((rest, lr / 10), (top, lr)) if some]
