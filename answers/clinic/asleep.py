# %% right_dict_of_rates: A dictionary from parameter to rate; tensors hash by identity.
def asleep(model, optimizer):
    rates = {}
    for group in optimizer.param_groups:
        rates.update(dict.fromkeys(group["params"], group["lr"]))
    return [name for name, p in model.named_parameters() if not (rates.get(p, 0) and p.requires_grad)]


# %% right_ids: The ids of what moves, asked for each name.
def asleep(model, optimizer):
    awake = {
        id(p) for group in optimizer.param_groups if group["lr"] != 0 for p in group["params"] if p.requires_grad
    }
    return [name for name, p in model.named_parameters() if id(p) not in awake]


# %% right_loops: Plain loops and `is`.
def asleep(model, optimizer):
    names = []
    for name, parameter in model.named_parameters():
        moves = False
        for group in optimizer.param_groups:
            for other in group["params"]:
                if other is parameter and group["lr"] != 0 and parameter.requires_grad:
                    moves = True
        if not moves:
            names.append(name)
    return names


# %% wrong_a_set: A set, which has no order.
def asleep(model, optimizer):
    awake = {id(p) for group in optimizer.param_groups if group["lr"] != 0 for p in group["params"]}
    return {name for name, p in model.named_parameters() if id(p) not in awake or not p.requires_grad}


# %% wrong_compare_values: Compares tensors by value: two parameters of equal numbers are taken for one.
import torch


def asleep(model, optimizer):
    awake = [p for group in optimizer.param_groups if group["lr"] > 0 for p in group["params"]]
    names = []
    for name, p in model.named_parameters():
        known = any(p.shape == other.shape and torch.equal(p, other) for other in awake)
        if not known or not p.requires_grad:
            names.append(name)
    return names


# %% wrong_first_parameter: Judges each group by its first parameter.
def asleep(model, optimizer):
    awake = {id(group["params"][0]) for group in optimizer.param_groups if group["lr"] and group["params"]}
    return [name for name, p in model.named_parameters() if id(p) not in awake or not p.requires_grad]


# %% wrong_group_order: The names in the order of the groups, not of the model.
def asleep(model, optimizer):
    names = {id(p): name for name, p in model.named_parameters()}
    found, seen = [], set()
    for group in optimizer.param_groups:
        for p in group["params"]:
            seen.add(id(p))
            if id(p) in names and (group["lr"] == 0 or not p.requires_grad):
                found.append(names[id(p)])
    return [name for key, name in names.items() if key not in seen] + found


# %% wrong_no_frozen: Forgets parameters with requires_grad False.
def asleep(model, optimizer):
    moved = {id(p) for group in optimizer.param_groups if group["lr"] for p in group["params"]}
    return [name for name, p in model.named_parameters() if id(p) not in moved]


# %% wrong_no_grad_yet: Takes a parameter without a gradient for one that sleeps.
def asleep(model, optimizer):
    awake = {id(p) for group in optimizer.param_groups if group["lr"] for p in group["params"]}
    return [name for name, p in model.named_parameters() if id(p) not in awake or p.grad is None]


# %% wrong_parameters_for_names: Returns the parameters themselves.
def asleep(model, optimizer):
    awake = {id(p) for group in optimizer.param_groups if group["lr"] for p in group["params"]}
    return [p for p in model.parameters() if id(p) not in awake or not p.requires_grad]


# %% wrong_small_rate: Takes a small rate for none.
def asleep(model, optimizer):
    awake = {id(p) for group in optimizer.param_groups if group["lr"] > 1e-3 for p in group["params"]}
    return [name for name, p in model.named_parameters() if id(p) not in awake or not p.requires_grad]


# %% wrong_sorted: The names sorted by the alphabet.
def asleep(model, optimizer):
    awake = {id(p) for group in optimizer.param_groups if group["lr"] != 0 for p in group["params"]}
    return sorted(name for name, p in model.named_parameters() if id(p) not in awake or not p.requires_grad)


# %% wrong_thaws: Switches every gradient on, and then finds fewer that sleep.
def asleep(model, optimizer):
    awake = {id(p) for group in optimizer.param_groups if group["lr"] for p in group["params"]}
    frozen = [name for name, p in model.named_parameters() if id(p) not in awake]
    model.requires_grad_(True)
    return frozen


# %% wrong_top_level_layers: Asks the layers of the first level only; names deeper down are missing.
def asleep(model, optimizer):
    awake = {id(p) for group in optimizer.param_groups if group["lr"] for p in group["params"]}
    return [
        f"{layer}.{name}"
        for layer, child in model.named_children()
        for name, p in child._parameters.items()
        if p is not None and (id(p) not in awake or not p.requires_grad)
    ]


# %% wrong_tried_on_copies: Tries a step on copies and looks at what moved: rounding hides a small rate.
import copy


def asleep(model, optimizer):
    tried, stepper = copy.deepcopy((model, optimizer))
    before = [p.detach().clone() for p in tried.parameters()]
    stepper.zero_grad()
    for p in tried.parameters():
        p.grad = p.new_ones(p.shape) if p.requires_grad else None
    stepper.step()
    held = {id(p) for group in optimizer.param_groups for p in group["params"] if group["lr"]}
    names = []
    for (name, p), now, old in zip(model.named_parameters(), tried.parameters(), before):
        moved = bool((now != old).any()) or (p.numel() == 0 and id(p) in held)
        if not moved:
            names.append(name)
    return names


# %% wrong_state_dict_names: Walks the state dict, and calls BatchNorm's buffers parameters.
def asleep(model, optimizer):
    awake = {
        p.data_ptr() for group in optimizer.param_groups if group["lr"] for p in group["params"] if p.requires_grad
    }
    return [name for name, tensor in model.state_dict().items() if tensor.data_ptr() not in awake]


# %% wrong_by_reason: First those in no group, then rate 0, then frozen: another order.
def asleep(model, optimizer):
    names = {id(p): name for name, p in model.named_parameters()}
    rate = {id(p): group["lr"] for group in optimizer.param_groups for p in group["params"]}
    missing = [name for key, name in names.items() if key not in rate]
    still = [name for key, name in names.items() if rate.get(key) == 0]
    frozen = [n for n, p in model.named_parameters() if not p.requires_grad and n not in missing + still]
    return missing + still + frozen


# %% wrong_addresses: Tells parameters apart by their address, which empty ones share.
def asleep(model, optimizer):
    awake = {p.data_ptr() for group in optimizer.param_groups if group["lr"] for p in group["params"]}
    return [n for n, p in model.named_parameters() if p.data_ptr() not in awake or not p.requires_grad]


# %% wrong_steps_for_real: Takes a real step and looks at what moved: the model is another afterwards.
import torch


def asleep(model, optimizer):
    before = {name: p.detach().clone() for name, p in model.named_parameters()}
    for p in model.parameters():
        if p.requires_grad:
            p.grad = torch.ones_like(p)
    optimizer.step()
    return [name for name, p in model.named_parameters() if torch.equal(p, before[name])]


# %% wrong_clears_gradients: Clears the gradients first, which the caller may still need.
def asleep(model, optimizer):
    optimizer.zero_grad()
    awake = {id(p) for group in optimizer.param_groups if group["lr"] for p in group["params"] if p.requires_grad}
    return [name for name, p in model.named_parameters() if id(p) not in awake]


# %% wrong_tied_twice: Asks for duplicates too, and so names a shared parameter twice.
def asleep(model, optimizer):
    awake = {
        id(p) for group in optimizer.param_groups if group["lr"] != 0 for p in group["params"] if p.requires_grad
    }
    return [name for name, p in model.named_parameters(remove_duplicate=False) if id(p) not in awake]


# %% wrong_tiny_rate: A very small rate counts as 0.
import math


def asleep(model, optimizer):
    rates = {}
    for group in optimizer.param_groups:
        for p in group["params"]:
            rates[id(p)] = float(group["lr"])
    names = []
    for name, p in model.named_parameters():
        rate = rates.get(id(p), 0.0)
        if not p.requires_grad or math.isclose(rate, 0.0, abs_tol=1e-12):
            names.append(name)
    return names


# %% wrong_once_for_each_reason: Who has two reasons is named twice.
def asleep(model, optimizer):
    rates = {p: group["lr"] for group in optimizer.param_groups for p in group["params"]}
    names = []
    for name, p in model.named_parameters():
        if rates.get(p, 0) == 0:
            names.append(name)
        if not p.requires_grad:
            names.append(name)
    return names
