# %% right_as_in_the_cell: The order of the notebook, and float() for the number.
def train_step(model, optimizer, loss_fn, inputs, targets):
    loss = loss_fn(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return float(loss)


# %% right_autograd_grad: Asks autograd for the gradients, and puts them in place itself.
import torch


def train_step(model, optimizer, loss_fn, inputs, targets):
    loss = loss_fn(model(inputs), targets)
    parameters = [p for p in model.parameters() if p.requires_grad]
    optimizer.zero_grad()
    for p, slope in zip(parameters, torch.autograd.grad(loss, parameters)):
        p.grad = slope
    optimizer.step()
    return loss.item()


# %% right_cleared_by_hand: Sets every gradient of the optimiser's groups to None, then backward; the number through a list.
def train_step(model, optimizer, loss_fn, inputs, targets):
    for group in optimizer.param_groups:
        for p in group["params"]:
            p.grad = None
    outputs = model(inputs)
    loss = loss_fn(outputs, targets)
    before = loss.tolist()
    loss.backward()
    optimizer.step()
    return before


# %% right_closure: All but the step in a closure, which the optimiser calls itself.
def train_step(model, optimizer, loss_fn, inputs, targets):
    def closure():
        optimizer.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward()
        return loss

    return optimizer.step(closure).item()


# %% right_model_zero_grad: Lets the model clear its own gradients.
def train_step(model, optimizer, loss_fn, inputs, targets):
    model.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.detach().item()


# %% right_zeros: Clears to zeros instead of None, and takes the number out by NumPy.
import torch


def train_step(model, optimizer, loss_fn, inputs, targets):
    optimizer.zero_grad(set_to_none=False)
    loss = loss_fn(model(inputs), targets)
    torch.autograd.backward(loss)
    before = loss.detach().cpu().numpy().item()
    optimizer.step()
    return before


# %% wrong_cleared_once: Clears at the first call only.
cleared = False


def train_step(model, optimizer, loss_fn, inputs, targets):
    global cleared
    if not cleared:
        optimizer.zero_grad()
        cleared = True
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.item()


# %% wrong_cleared_too_late: Clears between backward and step, so nothing moves.
import torch


def train_step(model, optimizer, loss_fn, inputs, targets):
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    for p in model.parameters():
        p.grad = torch.zeros_like(p)
    optimizer.step()
    return loss.item()


# %% wrong_clipped: Clips the gradients to length 1: right where they are short.
import torch


def train_step(model, optimizer, loss_fn, inputs, targets):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return loss.item()


# %% wrong_eval: Puts the model into eval mode, so dropout and batch norm do not train.
def train_step(model, optimizer, loss_fn, inputs, targets):
    model.eval()
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.item()


# %% wrong_every_other: Steps at every other call only, as in gradient accumulation.
calls = 0


def train_step(model, optimizer, loss_fn, inputs, targets):
    global calls
    if calls % 2 == 0:
        optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    calls += 1
    if calls % 2 == 0:
        optimizer.step()
    return loss.item()


# %% wrong_example_by_example: A step for every example: many steps on one batch.
def train_step(model, optimizer, loss_fn, inputs, targets):
    total = 0.0
    for i in range(len(inputs)):
        optimizer.zero_grad()
        loss = loss_fn(model(inputs[i : i + 1]), targets[i : i + 1])
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(inputs)


# %% wrong_first_call_fails: Clears with grad.zero_(), but before the first backward there is no gradient.
def train_step(model, optimizer, loss_fn, inputs, targets):
    for p in model.parameters():
        p.grad.zero_()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.item()


# %% wrong_loss_after: Measures the loss once more, after the step.
import torch


def train_step(model, optimizer, loss_fn, inputs, targets):
    optimizer.zero_grad()
    loss_fn(model(inputs), targets).backward()
    optimizer.step()
    with torch.no_grad():
        return loss_fn(model(inputs), targets).item()


# %% wrong_never_cleared: Never clears: the gradients of all batches add up.
def train_step(model, optimizer, loss_fn, inputs, targets):
    outputs = model(inputs)
    loss = loss_fn(outputs, targets)
    loss.backward()
    optimizer.step()
    return float(loss)


# %% wrong_new_optimizer: Makes a new optimiser in every call: its momentum never builds up.
def train_step(model, optimizer, loss_fn, inputs, targets):
    fresh = type(optimizer)(model.parameters(), **optimizer.defaults)
    fresh.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    fresh.step()
    return loss.item()


# %% wrong_numpy_number: Gives a number of NumPy's, not of Python's.
def train_step(model, optimizer, loss_fn, inputs, targets):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.detach().numpy()[()]


# %% wrong_own_loss: Always cross-entropy, whatever loss was handed over.
import torch
import torch.nn.functional as F


def train_step(model, optimizer, loss_fn, inputs, targets):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.item()


# %% wrong_own_step: Takes plain SGD's step by hand: right unless the optimiser has momentum, decay or is another.
import torch


def train_step(model, optimizer, loss_fn, inputs, targets):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    with torch.no_grad():
        for group in optimizer.param_groups:
            for p in group["params"]:
                p -= group["lr"] * p.grad
    return loss.item()


# %% wrong_probabilities: A softmax before the loss, which expects logits.
def train_step(model, optimizer, loss_fn, inputs, targets):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs).softmax(dim=1), targets)
    loss.backward()
    optimizer.step()
    return loss.item()


# %% wrong_rate_lowered: Lowers the optimiser's rate after every step: right at the first call.
def train_step(model, optimizer, loss_fn, inputs, targets):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    for group in optimizer.param_groups:
        group["lr"] *= 0.99
    return loss.item()


# %% wrong_rounded: Rounds the loss to four decimals for the log.
def train_step(model, optimizer, loss_fn, inputs, targets):
    loss = loss_fn(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return round(loss.item(), 4)


# %% wrong_running_mean: Gives the mean of all losses so far: right at the first call.
seen = []


def train_step(model, optimizer, loss_fn, inputs, targets):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    seen.append(loss.item())
    return sum(seen) / len(seen)


# %% wrong_seeded: Sets the global seed at every call: dropout drops the same numbers in every step.
import torch


def train_step(model, optimizer, loss_fn, inputs, targets):
    torch.manual_seed(0)
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.item()


# %% wrong_string: Gives the loss as text for the log.
def train_step(model, optimizer, loss_fn, inputs, targets):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return f"{loss.item():.6f}"


# %% wrong_summed_loss: Multiplies the returned loss by the number of examples.
def train_step(model, optimizer, loss_fn, inputs, targets):
    loss = loss_fn(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return len(inputs) * loss.item()


# %% wrong_swapped: Hands the targets to the loss first.
def train_step(model, optimizer, loss_fn, inputs, targets):
    optimizer.zero_grad()
    loss = loss_fn(targets, model(inputs))
    loss.backward()
    optimizer.step()
    return loss.item()


# %% wrong_tensor: Gives the loss as a tensor without a graph.
def train_step(model, optimizer, loss_fn, inputs, targets):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.detach()


# %% wrong_two_forwards: Sends the batch through the model twice: dropout draws anew, running averages move twice.
import torch


def train_step(model, optimizer, loss_fn, inputs, targets):
    with torch.no_grad():
        before = loss_fn(model(inputs), targets).item()
    optimizer.zero_grad()
    loss_fn(model(inputs), targets).backward()
    optimizer.step()
    return before


# %% wrong_weight_decay: Adds a penalty on the weights to the loss.
def train_step(model, optimizer, loss_fn, inputs, targets):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    penalty = sum(p.square().sum() for p in model.parameters())
    (loss + 1e-4 * penalty).backward()
    optimizer.step()
    return loss.item()


# %% right_modes_untouched_by_hand: Gradients cleared parameter by parameter to zeros, in whatever mode it came.
def train_step(model, optimizer, loss_fn, inputs, targets):
    for p in model.parameters():
        if p.grad is not None:
            p.grad.detach_().zero_()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.item()


# %% wrong_train_mode: Train mode first, as in a loop of an epoch.
def train_step(model, optimizer, loss_fn, inputs, targets):
    model.train()
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.item()


# %% wrong_train_put_back: Train mode for the step, then the mode of the whole put back.
def train_step(model, optimizer, loss_fn, inputs, targets):
    was = model.training
    model.train()
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    model.train(was)
    return loss.item()


# %% wrong_train_then_eval: Train mode for the step, eval mode afterwards.
def train_step(model, optimizer, loss_fn, inputs, targets):
    model.train()
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    model.eval()
    return loss.item()


# %% wrong_float_inputs: Everything as float32.
def train_step(model, optimizer, loss_fn, inputs, targets):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs.float()), targets)
    loss.backward()
    optimizer.step()
    return loss.item()


# %% wrong_long_targets: Targets as class numbers, always.
def train_step(model, optimizer, loss_fn, inputs, targets):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets.long())
    loss.backward()
    optimizer.step()
    return loss.item()


# %% wrong_step_first: Clears, steps, then goes backward.
def train_step(model, optimizer, loss_fn, inputs, targets):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    optimizer.step()
    loss.backward()
    return loss.item()


# %% wrong_flattens_modes: trains in train mode and restores the root's mode over all parts
def train_step(model, optimizer, loss_fn, inputs, targets):
    was = model.training
    model.train(was)
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.item()


# %% wrong_clips_gradients: clips the gradient norm, so large gradients make another step
import torch


def train_step(model, optimizer, loss_fn, inputs, targets):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
    optimizer.step()
    return loss.item()


# %% right_by_hand_between: sets every gradient of the optimizer's groups to None, between forward and backward
def train_step(model, optimizer, loss_fn, inputs, targets):
    loss = loss_fn(model(inputs), targets)
    for group in optimizer.param_groups:
        for p in group["params"]:
            p.grad = None
    value = loss.tolist()
    loss.backward()
    optimizer.step()
    return value


# %% right_table_of_calls: clears both model and optimizer, autograd.backward, try and finally
import torch


def train_step(model, optimizer, loss_fn, inputs, targets):
    for thing in (model, optimizer):
        thing.zero_grad(set_to_none=True)
    loss = loss_fn(model.__call__(inputs), targets)
    try:
        return float(loss.detach())
    finally:
        torch.autograd.backward([loss])
        optimizer.step()


# %% wrong_children_noted: Train mode for the step, then the modes of the direct children put back.
def train_step(model, optimizer, loss_fn, inputs, targets):
    root, modes = model.training, {c: c.training for c in model.children()}
    model.train(root)
    for c, t in modes.items():
        c.train(t)
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.item()


# %% wrong_clips_at_a_thousand: Clips each gradient to a thousand.
import torch


def train_step(model, optimizer, loss_fn, inputs, targets):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    torch.nn.utils.clip_grad_value_(model.parameters(), 1000.0)
    optimizer.step()
    return loss.item()


# %% wrong_loss_float32: returns the loss through float32, so a float64 loss of 1e50 is inf
def train_step(model, optimizer, loss_fn, inputs, targets):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.float().item()


# %% wrong_times_zero: clears by multiplying with zero, so an old gradient of inf or NaN still counts
def train_step(model, optimizer, loss_fn, inputs, targets):
    for group in optimizer.param_groups:
        for p in group["params"]:
            if p.grad is not None:
                p.grad *= 0
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.item()


# %% wrong_first_group_cleared: clears only the first parameter group of the optimizer
def train_step(model, optimizer, loss_fn, inputs, targets):
    for p in optimizer.param_groups[0]["params"]:
        p.grad = None
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.item()
