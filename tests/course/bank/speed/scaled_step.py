# %% right_plain: One branch for a good step, one for a bad one.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% right_sum: Looks at the sum of all gradients times 0.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = bool(sum((grad * 0).sum() for grad in grads) == 0)
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% right_unscaled_later: Looks at the scaled gradients, and divides only where all are finite.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        for grad in grads:
            grad.mul_(1 / state["scale"])
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% right_gradient_argument: Hands the scale to backward as its first gradient.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    for p in model.parameters():
        p.grad = None
    loss = loss_fn(model(inputs), targets)
    loss.backward(torch.tensor(state["scale"]))
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% right_autograd_grad: autograd.grad with unused ones allowed.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    trained = [p for p in model.parameters() if p.requires_grad]
    for p in model.parameters():
        p.grad = None
    found = torch.autograd.grad(loss_fn(model(inputs), targets) * state["scale"], trained, allow_unused=True)
    for p, grad in zip(trained, found, strict=True):
        if grad is not None:
            p.grad = grad / state["scale"]
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), float("inf"))
    taken = torch.isfinite(norm).item()
    if taken:
        optimizer.step()
    good = state["good"] + 1 if taken else 0
    scale = state["scale"] * (1.0 if taken else 0.5)
    state.update(good=good % state["every"], scale=scale * 2 if good == state["every"] else scale)
    return taken


# %% wrong_never_unscaled: Steps along the gradients of the scaled loss.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% wrong_unscales_after_step: Divides after the step.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        optimizer.step()
        for grad in grads:
            grad.div_(state["scale"])
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% wrong_loss_finite: Looks at the loss.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = bool(torch.isfinite(loss))
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% wrong_scaled_loss_finite: Looks at the scaled loss.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = bool(torch.isfinite(loss * state["scale"]))
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% wrong_only_inf: Does not see NaN.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = not any(torch.isinf(grad).any().item() for grad in grads)
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% wrong_only_nan: Does not see infinities.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = not any(torch.isnan(grad).any().item() for grad in grads)
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% wrong_first_only: Looks at the first gradient.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = bool(torch.isfinite(grads[0]).all())
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% wrong_last_only: Looks at the last gradient.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = bool(torch.isfinite(grads[-1]).all())
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% wrong_any: One finite number in each gradient is enough.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = all(torch.isfinite(grad).any().item() for grad in grads)
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% wrong_steps_anyway: Takes the step in both cases.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        optimizer.step()
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% wrong_nan_to_num: Repairs bad gradients and steps.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        for grad in grads:
            torch.nan_to_num_(grad, 0.0, 0.0, 0.0)
        optimizer.step()
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% wrong_not_halved: Skips, and keeps the scale.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["good"] = 0
    return finite


# %% wrong_good_stays: A skipped step leaves the count as it is.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] /= 2
    return finite


# %% wrong_never_grows: The scale never doubles.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        optimizer.step()
        state["good"] += 1
    else:
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% wrong_count_not_reset: Doubles, and counts on.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
    else:
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% wrong_grows_late: Doubles one good step too late.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] > state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% wrong_grows_before: Doubles when the count of earlier steps has reached it, before this one is counted.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        optimizer.step()
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
        state["good"] += 1
    else:
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% wrong_modulo: Doubles at each multiple, and never sets the count back.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] % state["every"] == 0:
            state["scale"] *= 2
    else:
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% wrong_old_gradients: Does not clear.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% wrong_cleared_after_backward: Clears between backward and step.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    optimizer.zero_grad()
    for grad in grads:
        grad.div_(state["scale"])
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% wrong_zeros: Clears to zeros, so that unused parameters have gradients.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad(set_to_none=False)
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% wrong_trained_cleared: Leaves the old gradient of a frozen parameter.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    for p in model.parameters():
        if p.requires_grad:
            p.grad = None
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% wrong_fills_zeros: Gives every parameter a gradient.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    for p in model.parameters():
        p.grad = torch.zeros_like(p) if p.grad is None else p.grad
    grads = [p.grad for p in model.parameters()]
    for grad in grads:
        grad.div_(state["scale"])
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% wrong_new_state: Makes a new dict and leaves the one given.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    state = dict(state)
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% wrong_returns_none: Steps, but returns nothing.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] /= 2
        state["good"] = 0


# %% wrong_returns_loss: Returns the loss.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] /= 2
        state["good"] = 0
    return loss.item()


# %% right_returns_tensor: A tensor that is true or false.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] /= 2
        state["good"] = 0
    return torch.tensor(finite)


# %% wrong_integer_scale: Halves with //.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] //= 2
        state["good"] = 0
    return finite


# %% wrong_scale_at_least_1: Never goes under 1.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] = max(state["scale"] / 2, 1.0)
        state["good"] = 0
    return finite


# %% wrong_scale_capped: Never goes over 65,536, as in float16.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] = min(state["scale"] * 2, 512.0)
            state["good"] = 0
    else:
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% wrong_retries: Tries again at once with half the scale.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] /= 2
        state["good"] = 0
        return scaled_step(model, optimizer, loss_fn, inputs, targets, state) if state["scale"] > 1e-3 else False
    return finite


# %% wrong_eps: Adds a small number to the scale.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"] + 1e-1)
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% wrong_unscales_by_new: Divides by the scale after it has changed.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    finite = all(torch.isfinite(grad).all().item() for grad in grads)
    if finite:
        scale = state["scale"] * (2 if state["good"] + 1 == state["every"] else 1)
        for grad in grads:
            grad.div_(scale)
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state["scale"] *= 2
            state["good"] = 0
    else:
        state["scale"] /= 2
        state["good"] = 0
    return finite


# %% wrong_grad_scaler: Lets torch's scaler do it.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    scaler = torch.amp.GradScaler("cpu", init_scale=state["scale"], growth_interval=10**6)
    model.zero_grad()
    scaler.scale(loss_fn(model(inputs), targets)).backward()
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    taken = scaler.get_scale() == state["scale"]
    state["good"] = state["good"] + 1 if taken else 0
    state["scale"] = scaler.get_scale()
    if state["good"] == state["every"]:
        state["scale"] *= 2
        state["good"] = 0
    return taken
