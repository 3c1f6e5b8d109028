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


# %% wrong_unscaled_later: Looks at the scaled gradients, and divides only where all are finite.
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
    taken = not any(p.grad.sub(p.grad).any() for p in trained if p.grad is not None)
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


# %% wrong_returns_tensor: A tensor that is true or false.
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


# %% wrong_break_at_first: stops dividing at the first bad gradient, later ones keep the scale
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    model.zero_grad()
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    (loss * state["scale"]).backward()
    finite = True
    for p in model.parameters():
        if p.grad is None:
            continue
        p.grad.div_(state["scale"])
        if not torch.isfinite(p.grad).all():
            finite = False
            break
    if not finite:
        state["scale"] /= 2
        state["good"] = 0
        return False
    optimizer.step()
    state["good"] += 1
    if state["good"] >= state["every"]:
        state["scale"] *= 2
        state["good"] = 0
    return True


# %% wrong_tied_twice: a weight used under two names is divided twice
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    model.zero_grad()
    optimizer.zero_grad()
    (loss_fn(model(inputs), targets) * state["scale"]).backward()
    finite = True
    for module in model.modules():
        for p in module.parameters(recurse=False):
            if p.grad is not None:
                p.grad /= state["scale"]
                finite = finite and bool(torch.isfinite(p.grad).all())
    if not finite:
        state["scale"] /= 2
        state["good"] = 0
        return False
    optimizer.step()
    state["good"] += 1
    if state["good"] >= state["every"]:
        state["scale"] *= 2
        state["good"] = 0
    return True


# %% wrong_check_before_division: a scale under 1 can overflow in the division, unseen
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    model.zero_grad()
    optimizer.zero_grad()
    (loss_fn(model(inputs), targets) * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    finite = all(bool(torch.isfinite(g).all()) for g in grads)
    for g in grads:
        g.div_(state["scale"])
    if finite:
        optimizer.step()
        state["good"] += 1
        if state["good"] >= state["every"]:
            state["scale"] *= 2.0
            state["good"] = 0
    else:
        state["scale"] *= 0.5
        state["good"] = 0
    return finite


# %% wrong_norm_overflows: looks at the total norm, whose squares overflow for finite gradients
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    model.zero_grad()
    optimizer.zero_grad()
    (loss_fn(model(inputs), targets) * state["scale"]).backward()
    total = 0.0
    for p in model.parameters():
        if p.grad is not None:
            p.grad.div_(state["scale"])
            total = total + p.grad.pow(2).sum()
    taken = bool(torch.isfinite(torch.as_tensor(total)))
    if taken:
        optimizer.step()
        state["good"] += 1
        if state["good"] >= state["every"]:
            state["scale"] *= 2.0
            state["good"] = 0
    else:
        state["scale"] *= 0.5
        state["good"] = 0
    return taken


# %% wrong_sum_overflows: Looks at the sum of all gradients, which overflows sooner than they do.
def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    (loss_fn(model(inputs), targets) * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    taken = sum(grad.sum() for grad in grads).isfinite().item()
    if taken:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state.update(scale=state["scale"] * 2, good=0)
    else:
        state.update(scale=state["scale"] / 2, good=0)
    return taken


# %% wrong_first_group: Divides and looks at the optimizer's first group alone.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    (loss_fn(model(inputs), targets) * state["scale"]).backward()
    grads = [p.grad for p in optimizer.param_groups[0]["params"] if p.grad is not None]
    for grad in grads:
        grad.div_(state["scale"])
    taken = all(torch.isfinite(grad).all().item() for grad in grads)
    if taken:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state.update(scale=state["scale"] * 2, good=0)
    else:
        state.update(scale=state["scale"] / 2, good=0)
    return taken


# %% wrong_two_passes: Gradients of the loss itself, the scaled ones only to look at: small ones are 0 in float16.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    loss = loss_fn(model(inputs), targets)
    trained = [p for p in model.parameters() if p.requires_grad]
    scaled = torch.autograd.grad(loss * state["scale"], trained, retain_graph=True, allow_unused=True)
    taken = all(bool((grad / state["scale"]).isfinite().all()) for grad in scaled if grad is not None)
    loss.backward()
    if taken:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state.update(scale=state["scale"] * 2, good=0)
    else:
        state.update(scale=state["scale"] / 2, good=0)
    return taken


# %% wrong_zeros_taken_for_none: Takes a gradient of zeros for one that is not there.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    (loss_fn(model(inputs), targets) * state["scale"]).backward()
    taken = True
    for p in model.parameters():
        if p.grad is None or not p.grad.any():
            p.grad = None
            continue
        p.grad.div_(state["scale"])
        taken = taken and bool(torch.isfinite(p.grad).all())
    if taken:
        optimizer.step()
        state["good"] += 1
        if state["good"] == state["every"]:
            state.update(scale=state["scale"] * 2, good=0)
    else:
        state.update(scale=state["scale"] / 2, good=0)
    return taken


# %% wrong_cleared_when_skipped: Clears the bad gradients where it skips the step.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    optimizer.zero_grad()
    (loss_fn(model(inputs), targets) * state["scale"]).backward()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    torch._foreach_div_(grads, state["scale"])
    if not all(torch.isfinite(grad).all().item() for grad in grads):
        optimizer.zero_grad()
        state.update(scale=state["scale"] / 2, good=0)
        return False
    optimizer.step()
    state["good"] += 1
    if state["good"] == state["every"]:
        state.update(scale=state["scale"] * 2, good=0)
    return True


# %% right_largest: The largest magnitude of all, with the division by its inverse for all at once.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    model.zero_grad()
    loss = loss_fn(model(inputs), targets).mul(state["scale"])
    torch.autograd.backward([loss])
    grads = [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
    torch._foreach_mul_(grads, 1.0 / state["scale"])
    largest = max(
        (grad.abs().amax().nan_to_num(nan=torch.inf, posinf=torch.inf).item() for grad in grads), default=0.0
    )
    if largest == float("inf"):
        state["scale"], state["good"] = 0.5 * state["scale"], 0
        return False
    optimizer.step()
    state["good"] += 1
    if state["good"] >= state["every"]:
        state["scale"], state["good"] = 2.0 * state["scale"], 0
    return True


# %% right_hooks: Hooks divide each gradient on its way into .grad, and are taken off.
import torch


def scaled_step(model, optimizer, loss_fn, inputs, targets, state):
    for p in model.parameters():
        p.grad = None
    scale = state["scale"]

    def divide(p):
        p.grad = p.grad / scale

    handles = [p.register_post_accumulate_grad_hook(divide) for p in model.parameters() if p.requires_grad]
    try:
        (loss_fn(model(inputs), targets) * scale).backward()
    finally:
        for handle in handles:
            handle.remove()
    numbers = torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None])
    taken = not (numbers.isinf() | numbers.isnan()).any().item()
    if taken:
        optimizer.step()
    state["good"] = state["good"] + 1 if taken else 0
    if not taken:
        state["scale"] /= 2
    elif state["good"] == state["every"]:
        state.update(scale=scale * 2, good=0)
    return taken
