# %% right_all_then_head: Quiets the whole model and wakes the head again.
def freeze(model, head):
    model.eval().requires_grad_(False)
    model.get_submodule(head).train().requires_grad_(True)


# %% right_apply: Lets each child apply a function to all of its modules.
def freeze(model, head):
    def still(module):
        module.eval()
        for parameter in module._parameters.values():
            if parameter is not None:
                parameter.requires_grad_(False)

    spared = getattr(model, head)
    for child in filter(lambda child: child is not spared, model.children()):
        child.apply(still)


# %% right_children: A loop over the children, with train() and requires_grad_() of one condition.
def freeze(model, head):
    for name, child in model.named_children():
        child.train(name == head)
        if name != head:
            child.requires_grad_(False)


# %% right_names: Goes by the first word of each name, of parameters and modules alike.
def freeze(model, head):
    for name, parameter in model.named_parameters():
        if name.split(".")[0] != head:
            parameter.requires_grad = False
    for name, module in model.named_modules():
        if name and name.split(".")[0] != head:
            module.training = False


# %% right_recursion: Walks down each child by itself.
def freeze(model, head):
    def quiet(module):
        module.training = False
        for parameter in module.parameters(recurse=False):
            parameter.requires_grad_(False)
        for inner in module.children():
            quiet(inner)

    for name in model._modules.keys() - {head}:
        quiet(getattr(model, name))


# %% wrong_all_but_the_last: Takes the last child for the head.
def freeze(model, head):
    for child in list(model.children())[:-1]:
        child.requires_grad_(False).eval()


# %% wrong_begins_alike: Spares what begins with the head's name.
def freeze(model, head):
    for name, module in model.named_modules():
        if name and not name.startswith(head):
            module.training = False
            for parameter in module.parameters(recurse=False):
                parameter.requires_grad_(False)


# %% wrong_children_with_weights: Looks only at children that own parameters: a dropout layer owns none and stays in training mode.
def freeze(model, head):
    for name, child in model.named_children():
        parameters = list(child.parameters())
        if name != head and parameters:
            child.eval()
            for parameter in parameters:
                parameter.requires_grad = False


# %% wrong_copy: Freezes a copy and returns it; the model itself is as it was.
import copy


def freeze(model, head):
    frozen = copy.deepcopy(model)
    for name, child in frozen.named_children():
        if name != head:
            child.eval()
            child.requires_grad_(False)
    return frozen


# %% wrong_floating_weights: Freezes matrices only: biases and the weights of norms have one dimension and stay trainable.
def freeze(model, head):
    for name, child in model.named_children():
        if name != head:
            child.eval()
            for parameter in child.parameters():
                if parameter.ndim > 1:
                    parameter.requires_grad_(False)


# %% wrong_head_flag_only: Quiets everything and then sets the head's own flag: what is inside it stays quiet.
def freeze(model, head):
    model.requires_grad_(False)
    model.eval()
    layer = getattr(model, head)
    layer.requires_grad_(True)
    layer.training = True


# %% wrong_head_weight_only: Freezes all and thaws the head's own parameters: those of layers inside it stay frozen.
def freeze(model, head):
    model.requires_grad_(False)
    for name, child in model.named_children():
        child.train(name == head)
    for parameter in getattr(model, head).parameters(recurse=False):
        parameter.requires_grad_(True)


# %% wrong_module_against_name: Compares modules with the head's name: none is equal to a string, so the head is frozen too.
def freeze(model, head):
    for child in model.children():
        if child != head:
            child.requires_grad_(False)
            child.eval()


# %% wrong_momentum_zero: Turns off what BatchNorm and dropout do in training instead of the training mode.
from torch import nn


def freeze(model, head):
    for name, child in model.named_children():
        if name == head:
            continue
        for parameter in child.parameters():
            parameter.requires_grad = False
        for module in child.modules():
            if isinstance(module, nn.modules.batchnorm._BatchNorm):
                module.momentum = 0.0
            elif isinstance(module, nn.Dropout):
                module.p = 0.0


# %% wrong_norms_only: Only BatchNorm layers go to evaluation mode: dropout goes on.
from torch import nn


def freeze(model, head):
    for name, child in model.named_children():
        if name == head:
            continue
        child.requires_grad_(False)
        for module in child.modules():
            if isinstance(module, nn.modules.batchnorm._BatchNorm):
                module.eval()


# %% wrong_own_flag_only: Sets the child's flag by hand, and what is inside it stays in training mode.
def freeze(model, head):
    for name, child in model.named_children():
        if name != head:
            child.requires_grad_(False)
            child.training = False


# %% wrong_own_parameters_only: Takes a child's own parameters, not those of the layers inside it.
def freeze(model, head):
    for name, child in model.named_children():
        if name != head:
            child.eval()
            for parameter in child.parameters(recurse=False):
                parameter.requires_grad_(False)


# %% wrong_root_first: The first of all modules is the model itself: its eval() reaches into the head.
def freeze(model, head):
    layer = getattr(model, head)
    inside = set(layer.modules())
    for module in model.modules():
        if module not in inside:
            module.eval()
    model.requires_grad_(False)
    layer.requires_grad_(True)


# %% wrong_same_class: Spares every child of the head's class: an old Linear stays trainable beside the new one.
def freeze(model, head):
    kind = type(getattr(model, head))
    for child in model.children():
        if not isinstance(child, kind):
            child.eval()
            child.requires_grad_(False)


# %% wrong_same_name_inside: Spares every module of that name, at whatever depth.
def freeze(model, head):
    for name, module in model.named_modules():
        if name and head not in name.split("."):
            module.training = False
            for parameter in module.parameters(recurse=False):
                parameter.requires_grad = False


# %% wrong_train_reversed: Hands train() the wrong way round: the head is quiet and the rest is not.
def freeze(model, head):
    for name, child in model.named_children():
        child.requires_grad_(name == head)
        child.train(name != head)


# %% wrong_train_switched_off: Calls eval() and then takes train() away from every child but the head, the head's insides included.
def freeze(model, head):
    for name, parameter in model.named_parameters():
        parameter.requires_grad = name.split(".")[0] == head
    for name, module in model.named_modules():
        if name not in ("", head):
            module.eval()


# %% wrong_train_taken_first: Takes train() away before it calls eval(), which works through train() and so does nothing.
def freeze(model, head):
    for name, child in model.named_children():
        if name != head:
            child.requires_grad_(False)
            for module in child.modules():
                module.train = lambda mode=True, module=module: module
            child.eval()


# %% wrong_up_to_the_head: Stops at the head: what comes after it stays as it was.
def freeze(model, head):
    for name, child in model.named_children():
        if name == head:
            break
        child.requires_grad_(False)
        child.eval()


# %% wrong_two_levels: Sets the flag of each child and of its children, no deeper.
def freeze(model, head):
    for name, child in model.named_children():
        if name == head:
            continue
        child.requires_grad_(False)
        child.training = False
        for inner in child.children():
            inner.training = False


# %% wrong_weight_bias_only: Freezes parameters called weight or bias: an LSTM's are called weight_ih_l0.
def freeze(model, head):
    for name, child in model.named_children():
        if name != head:
            child.eval()
            for path, parameter in child.named_parameters():
                if path.rpartition(".")[2] in ("weight", "bias"):
                    parameter.requires_grad = False


# %% wrong_three_levels: Names the levels by hand, three of them.
def freeze(model, head):
    for name, child in model.named_children():
        if name != head:
            child.requires_grad_(False)
            child.training = False
            for inner in child.children():
                inner.training = False
                for innermost in inner.children():
                    innermost.training = False


# %% wrong_detached: Detaches the parameters' values, which leaves the parameters as they are.
def freeze(model, head):
    for name, child in model.named_children():
        if name != head:
            child.eval()
            for parameter in child.parameters():
                parameter.detach()


# %% wrong_known_kinds: Freezes the kinds of layer it knows.
from torch import nn


def freeze(model, head):
    for name, child in model.named_children():
        if name != head:
            child.eval()
            for module in child.modules():
                if isinstance(module, (nn.Linear, nn.Conv2d, nn.BatchNorm1d, nn.BatchNorm2d, nn.LayerNorm)):
                    module.requires_grad_(False)


# %% wrong_gradients_cleared: Drops the gradients that were there as well.
def freeze(model, head):
    for name, child in model.named_children():
        if name != head:
            child.eval()
            for parameter in child.parameters():
                parameter.requires_grad = False
                parameter.grad = None


# %% wrong_new_parameters: Puts new parameters in the place of those that an optimizer may hold.
from torch import nn


def freeze(model, head):
    for name, child in model.named_children():
        if name == head:
            continue
        for module in child.eval().modules():
            for key, parameter in module.named_parameters(recurse=False):
                fixed = nn.Parameter(parameter.detach(), requires_grad=False)
                fixed.grad = parameter.grad
                setattr(module, key, fixed)


# %% wrong_statistics_reset: Sets the running statistics back to those of a new layer.
def freeze(model, head):
    for name, child in model.named_children():
        if name != head:
            child.requires_grad_(False).eval()
            for module in child.modules():
                if hasattr(module, "reset_running_stats"):
                    module.reset_running_stats()
