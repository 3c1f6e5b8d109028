# %% right_as_in_the_hint: A gradient left on purpose, two modes.
import torch
from torch import nn


def diagnose(step):
    x, y = torch.randn(8, 3), torch.randn(8, 1)
    for mode in (True, False):
        model = nn.Linear(3, 1).train(mode)
        start = [p.detach().clone() for p in model.parameters()]
        optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
        before = nn.functional.mse_loss(model(x), y).item()
        for p in model.parameters():
            p.grad = torch.full_like(p, 1e6)
        got = step(model, optimizer, nn.MSELoss(), x, y)
        moves = max((p - q).abs().max().item() for p, q in zip(model.parameters(), start))
        if model.training is not mode:
            return "changes the mode"
        if moves == 0:
            return "never moves"
        if moves > 1e3:
            return "never clears"
        if abs(got - before) > 1e-6 * max(1, abs(before)):
            return "loss after the step"
    return "right"


# %% right_beside_the_truth: Runs a correct step on a copy, and compares weights and numbers.
import copy

import torch
from torch import nn


def diagnose(step):
    torch.manual_seed(3)
    x, y = torch.randn(16, 4), torch.randint(0, 3, (16,))
    loss_fn = nn.CrossEntropyLoss()

    def good(model, optimizer, loss_fn, x, y):
        optimizer.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.item()

    for mode in (True, False):
        mine = nn.Sequential(nn.Linear(4, 3)).train(mode)
        theirs, frozen = copy.deepcopy(mine), copy.deepcopy(mine)
        o1, o2 = (torch.optim.SGD(m.parameters(), lr=0.5) for m in (mine, theirs))
        a = [good(mine, o1, loss_fn, x, y) for _ in range(3)]
        b = []
        for _ in range(3):
            b.append(step(theirs, o2, loss_fn, x, y))
            if theirs.training != mode:
                return "changes the mode"
        if torch.equal(theirs[0].weight, frozen[0].weight):
            return "never moves"
        if not torch.allclose(theirs[0].weight, mine[0].weight, atol=1e-6):
            return "never clears"
        if max(abs(p - q) for p, q in zip(a, b)) > 1e-5:
            return "loss after the step"
    return "right"


# %% right_by_the_gradient: Compares the gradient after two steps with a fresh one.
import torch
from torch import nn


def diagnose(step):
    def fresh(mode):
        m = nn.Linear(1, 1, bias=False).train(mode)
        m.weight.data.fill_(2.0)
        return m, torch.optim.SGD(m.parameters(), lr=0.1)

    x, y = torch.ones(1, 1), torch.zeros(1, 1)
    for mode in (False, True):
        m, o = fresh(mode)
        step(m, o, nn.MSELoss(), x, y)
        if m.training != mode:
            return "changes the mode"
    m, o = fresh(True)
    first = step(m, o, nn.MSELoss(), x, y)
    if m.weight.item() == 2.0:
        return "never moves"
    if abs(first - 4.0) > 1e-5:
        return "loss after the step"
    w = m.weight.item()
    step(m, o, nn.MSELoss(), x, y)
    return "right" if abs(w - m.weight.item() - 0.1 * 2 * w) < 1e-5 else "never clears"


# %% right_dropout_net: A larger net, and Adam without decay.
import torch
from torch import nn


def diagnose(step):
    torch.manual_seed(0)
    x, y = torch.randn(32, 5), torch.randn(32, 2)
    found = "right"
    for mode in ("train", "eval"):
        net = nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 2))
        getattr(net, mode)()
        modes = [m.training for m in net.modules()]
        opt = torch.optim.Adam(net.parameters(), lr=1e-2)
        w = net[0].weight.detach().clone()
        with torch.no_grad():
            before = nn.functional.mse_loss(net(x), y).item()
        value = step(net, opt, nn.MSELoss(), x, y)
        if [m.training for m in net.modules()] != modes:
            return "changes the mode"
        if torch.equal(net[0].weight, w):
            return "never moves"
        if abs(value - before) > 1e-6:
            return "loss after the step"
        net[0].weight.grad.fill_(100.0)
        step(net, opt, nn.MSELoss(), x, y)
        if net[0].weight.grad.mean() > 50:
            found = "never clears"
    return found


# %% wrong_no_eval: Tries a model in train mode, twice.
import torch
from torch import nn


def diagnose(step):
    x, y = torch.ones(4, 2), torch.zeros(4, 1)
    model = nn.Linear(2, 1)
    o = torch.optim.SGD(model.parameters(), lr=0.01)
    before = nn.functional.mse_loss(model(x), y).item()
    w = model.weight.detach().clone()
    model.weight.grad = torch.full_like(model.weight, 1e5)
    found = step(model, o, nn.MSELoss(), x, y)
    if not model.training:
        return "changes the mode"
    if torch.equal(w, model.weight):
        return "never moves"
    if (w - model.weight).abs().max() > 100:
        return "never clears"
    return "right" if abs(found - before) < 1e-5 else "loss after the step"


# %% wrong_never_loss: Does not look at the number that is returned.
import torch
from torch import nn


def diagnose(step):
    x, y = torch.ones(4, 2), torch.zeros(4, 1)
    for mode in (True, False):
        model = nn.Linear(2, 1).train(mode)
        o = torch.optim.SGD(model.parameters(), lr=0.01)
        w = model.weight.detach().clone()
        model.weight.grad = torch.full_like(model.weight, 1e5)
        step(model, o, nn.MSELoss(), x, y)
        if model.training != mode:
            return "changes the mode"
        if torch.equal(w, model.weight):
            return "never moves"
        if (w - model.weight).abs().max() > 100:
            return "never clears"
    return "right"


# %% wrong_loss_falls: Right if the loss falls, never moves if not.
import torch
from torch import nn


def diagnose(step):
    x, y = torch.ones(4, 2), torch.zeros(4, 1)
    model = nn.Linear(2, 1)
    o = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = [step(model, o, nn.MSELoss(), x, y) for _ in range(5)]
    return "right" if losses[-1] < losses[0] else "never moves"


# %% wrong_raises_seen_as_clear: Asks whether .grad is None afterwards.
import torch
from torch import nn


def diagnose(step):
    x, y = torch.ones(4, 2), torch.zeros(4, 1)
    model = nn.Linear(2, 1)
    o = torch.optim.SGD(model.parameters(), lr=0.1)
    step(model, o, nn.MSELoss(), x, y)
    return "right" if model.weight.grad is None else "never clears"


# %% wrong_always_right: Always says right.
def diagnose(step):
    return "right"


# %% wrong_source: Reads the source of the step.
import inspect


def diagnose(step):
    text = inspect.getsource(step)
    if "zero_grad" not in text:
        return "never clears"
    if ".step()" not in text:
        return "never moves"
    if ".train(" in text or ".eval(" in text:
        return "changes the mode"
    return "right"


# %% wrong_closure: Reads the name of the bug in the closure of the step, where it stood once.
def diagnose(step):
    return str(step.__closure__[0].cell_contents).split(",")[0]


# %% wrong_counts_calls: Counts the optimizer's calls only: one that clears in between counts as right.
import torch
from torch import nn


def diagnose(step):
    calls = []

    class Counting(torch.optim.SGD):
        def zero_grad(self, set_to_none=True):
            calls.append("zero")
            super().zero_grad(set_to_none)

        def step(self, closure=None):
            calls.append("step")
            return super().step(closure)

    model = nn.Linear(2, 1)
    step(model, Counting(model.parameters(), lr=0.1), nn.MSELoss(), torch.ones(4, 2), torch.zeros(4, 1))
    if "zero" not in calls:
        return "never clears"
    return "right" if "step" in calls else "never moves"


# %% wrong_other_words: Its own words for the bugs.
import torch
from torch import nn


def diagnose(step):
    model = nn.Linear(2, 1)
    w = model.weight.detach().clone()
    step(model, torch.optim.SGD(model.parameters(), lr=0.1), nn.MSELoss(), torch.ones(4, 2), torch.zeros(4, 1))
    return "no movement" if torch.equal(w, model.weight) else "fine"


# %% wrong_one_mode_each: Tries the first call in train mode and the second in eval mode, and looks at the end only.
import torch
from torch import nn


def diagnose(step):
    x, y = torch.ones(4, 2), torch.zeros(4, 1)
    model = nn.Linear(2, 1)
    o = torch.optim.SGD(model.parameters(), lr=0.01)
    w = model.weight.detach().clone()
    before = nn.functional.mse_loss(model(x), y).item()
    found = step(model, o, nn.MSELoss(), x, y)
    if torch.equal(w, model.weight):
        return "never moves"
    if abs(found - before) > 1e-6:
        return "loss after the step"
    model.eval()
    model.weight.grad = torch.full_like(w, 1e5)
    step(model, o, nn.MSELoss(), x, y)
    if model.training:
        return "changes the mode"
    return "never clears" if model.weight.abs().max() > 100 else "right"


# %% wrong_momentum: Adds up over momentum: a right step with momentum looks as if it never cleared.
import torch
from torch import nn


def diagnose(step):
    x, y = torch.ones(1, 1), torch.zeros(1, 1)
    model = nn.Linear(1, 1, bias=False)
    nn.init.ones_(model.weight)
    o = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    step(model, o, nn.MSELoss(), x, y)
    w = model.weight.item()
    if w == 1:
        return "never moves"
    step(model, o, nn.MSELoss(), x, y)
    return "right" if abs(w - model.weight.item() - 0.2 * w) < 1e-6 else "never clears"


# %% wrong_rate_zero: An optimizer with rate 0, so that every step looks as if it did not move.
import torch
from torch import nn


def diagnose(step):
    x, y = torch.ones(4, 2), torch.zeros(4, 1)
    for mode in (True, False):
        model = nn.Linear(2, 1).train(mode)
        w = model.weight.detach().clone()
        before = nn.functional.mse_loss(model(x), y).item()
        found = step(model, torch.optim.SGD(model.parameters(), lr=0.0), nn.MSELoss(), x, y)
        if model.training != mode:
            return "changes the mode"
        if torch.equal(w, model.weight):
            return "never moves"
        if abs(before - found) > 1e-6:
            return "loss after the step"
    return "right"


# %% wrong_names_exchanged: Says never clears for a step that never moves, and the other way round.
import torch
from torch import nn


def diagnose(step):
    x, y = torch.ones(4, 2), torch.zeros(4, 1)
    for mode in (True, False):
        model = nn.Linear(2, 1).train(mode)
        w = model.weight.detach().clone()
        before = nn.functional.mse_loss(model(x), y).item()
        model.weight.grad = torch.full_like(w, 1e5)
        found = step(model, torch.optim.SGD(model.parameters(), lr=0.01), nn.MSELoss(), x, y)
        if model.training != mode:
            return "changes the mode"
        if torch.equal(w, model.weight):
            return "never clears"
        if (w - model.weight).abs().max() > 100:
            return "never moves"
        if abs(before - found) > 1e-4:
            return "loss after the step"
    return "right"


# %% wrong_never_clears_unseen_in_eval: Looks for gradients that add up on a model without a second step.
import torch
from torch import nn


def diagnose(step):
    x, y = torch.ones(4, 2), torch.zeros(4, 1)
    for mode in (True, False):
        model = nn.Linear(2, 1).train(mode)
        w = model.weight.detach().clone()
        step(model, torch.optim.SGD(model.parameters(), lr=0.01), nn.MSELoss(), x, y)
        if model.training != mode:
            return "changes the mode"
        if torch.equal(w, model.weight):
            return "never moves"
    return "right"


# %% wrong_train_mode_only: tries the mode only on a model in train mode, misses steps that call model.train()
import torch
from torch import nn


def diagnose(step):
    def fresh():
        torch.manual_seed(0)
        return nn.Sequential(nn.Linear(3, 4), nn.Sequential(nn.Tanh(), nn.Dropout(0.0)), nn.Linear(4, 1)).double()

    x = torch.arange(15, dtype=torch.float64).reshape(5, 3).sin()
    y = torch.arange(5, dtype=torch.float64).reshape(5, 1).cos()
    loss_fn = nn.MSELoss()

    def flat(model):
        return torch.cat([p.detach().flatten() for p in model.parameters()])

    # modes
    for root, inner in ((True, True),):
        model = fresh().train(root)
        model[1].train(inner)
        was = [m.training for m in model.modules()]
        step(model, torch.optim.SGD(model.parameters(), lr=0.1), loss_fn, x, y)
        if [m.training for m in model.modules()] != was:
            return "changes the mode"

    model = fresh()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    w0 = flat(model)
    before = loss_fn(model(x), y).item()
    value = float(step(model, opt, loss_fn, x, y))
    w1 = flat(model)
    if torch.equal(w0, w1):
        return "never moves"
    after = loss_fn(model(x), y).item()
    if abs(value - after) < abs(value - before):
        return "loss after the step"
    g = torch.autograd.grad(loss_fn(model(x), y), list(model.parameters()))
    g = torch.cat([t.flatten() for t in g])
    step(model, opt, loss_fn, x, y)
    if not torch.allclose(flat(model), w1 - 0.1 * g):
        return "never clears"
    return "right"


# %% wrong_eval_mode_only: tries the mode only on a model in eval mode, misses steps that end in eval mode
import torch
from torch import nn


def diagnose(step):
    def fresh():
        torch.manual_seed(0)
        return nn.Sequential(nn.Linear(3, 4), nn.Sequential(nn.Tanh(), nn.Dropout(0.0)), nn.Linear(4, 1)).double()

    x = torch.arange(15, dtype=torch.float64).reshape(5, 3).sin()
    y = torch.arange(5, dtype=torch.float64).reshape(5, 1).cos()
    loss_fn = nn.MSELoss()

    def flat(model):
        return torch.cat([p.detach().flatten() for p in model.parameters()])

    # modes
    for root, inner in ((False, False),):
        model = fresh().train(root)
        model[1].train(inner)
        was = [m.training for m in model.modules()]
        step(model, torch.optim.SGD(model.parameters(), lr=0.1), loss_fn, x, y)
        if [m.training for m in model.modules()] != was:
            return "changes the mode"

    model = fresh()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    w0 = flat(model)
    before = loss_fn(model(x), y).item()
    value = float(step(model, opt, loss_fn, x, y))
    w1 = flat(model)
    if torch.equal(w0, w1):
        return "never moves"
    after = loss_fn(model(x), y).item()
    if abs(value - after) < abs(value - before):
        return "loss after the step"
    g = torch.autograd.grad(loss_fn(model(x), y), list(model.parameters()))
    g = torch.cat([t.flatten() for t in g])
    step(model, opt, loss_fn, x, y)
    if not torch.allclose(flat(model), w1 - 0.1 * g):
        return "never clears"
    return "right"


# %% wrong_first_step_only: looks at one step without old gradients, so a step that never clears passes for right
import torch
from torch import nn


def diagnose(step):
    def fresh():
        torch.manual_seed(0)
        return nn.Sequential(nn.Linear(3, 4), nn.Sequential(nn.Tanh(), nn.Dropout(0.0)), nn.Linear(4, 1)).double()

    x = torch.arange(15, dtype=torch.float64).reshape(5, 3).sin()
    y = torch.arange(5, dtype=torch.float64).reshape(5, 1).cos()
    loss_fn = nn.MSELoss()

    def flat(model):
        return torch.cat([p.detach().flatten() for p in model.parameters()])

    # modes
    for root, inner in ((True, True), (True, False), (False, True), (False, False)):
        model = fresh().train(root)
        model[1].train(inner)
        was = [m.training for m in model.modules()]
        step(model, torch.optim.SGD(model.parameters(), lr=0.1), loss_fn, x, y)
        if [m.training for m in model.modules()] != was:
            return "changes the mode"

    model = fresh()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    w0 = flat(model)
    before = loss_fn(model(x), y).item()
    value = float(step(model, opt, loss_fn, x, y))
    w1 = flat(model)
    if torch.equal(w0, w1):
        return "never moves"
    after = loss_fn(model(x), y).item()
    if abs(value - after) < abs(value - before):
        return "loss after the step"

    return "right"


# %% wrong_spies_zero_grad: asks whether optimizer.zero_grad was called, a right step with model.zero_grad is blamed
import torch
from torch import nn


def diagnose(step):
    def fresh():
        torch.manual_seed(0)
        return nn.Sequential(nn.Linear(3, 4), nn.Sequential(nn.Tanh(), nn.Dropout(0.0)), nn.Linear(4, 1)).double()

    x = torch.arange(15, dtype=torch.float64).reshape(5, 3).sin()
    y = torch.arange(5, dtype=torch.float64).reshape(5, 1).cos()
    loss_fn = nn.MSELoss()

    def flat(model):
        return torch.cat([p.detach().flatten() for p in model.parameters()])

    # modes
    for root, inner in ((True, True), (True, False), (False, True), (False, False)):
        model = fresh().train(root)
        model[1].train(inner)
        was = [m.training for m in model.modules()]
        step(model, torch.optim.SGD(model.parameters(), lr=0.1), loss_fn, x, y)
        if [m.training for m in model.modules()] != was:
            return "changes the mode"

    model = fresh()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    w0 = flat(model)
    before = loss_fn(model(x), y).item()
    value = float(step(model, opt, loss_fn, x, y))
    w1 = flat(model)
    if torch.equal(w0, w1):
        return "never moves"
    after = loss_fn(model(x), y).item()
    if abs(value - after) < abs(value - before):
        return "loss after the step"
    called = []
    clear = opt.zero_grad
    opt.zero_grad = lambda *a, **k: (called.append(1), clear(*a, **k))
    step(model, opt, loss_fn, x, y)
    if not called:
        return "never clears"
    return "right"


# %% wrong_grads_left_over: calls a step that leaves its own gradients in .grad never clearing, but a right step does that too
import torch
from torch import nn


def diagnose(step):
    def fresh():
        torch.manual_seed(0)
        return nn.Sequential(nn.Linear(3, 4), nn.Sequential(nn.Tanh(), nn.Dropout(0.0)), nn.Linear(4, 1)).double()

    x = torch.arange(15, dtype=torch.float64).reshape(5, 3).sin()
    y = torch.arange(5, dtype=torch.float64).reshape(5, 1).cos()
    loss_fn = nn.MSELoss()

    def flat(model):
        return torch.cat([p.detach().flatten() for p in model.parameters()])

    # modes
    for root, inner in ((True, True), (True, False), (False, True), (False, False)):
        model = fresh().train(root)
        model[1].train(inner)
        was = [m.training for m in model.modules()]
        step(model, torch.optim.SGD(model.parameters(), lr=0.1), loss_fn, x, y)
        if [m.training for m in model.modules()] != was:
            return "changes the mode"

    model = fresh()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    w0 = flat(model)
    before = loss_fn(model(x), y).item()
    value = float(step(model, opt, loss_fn, x, y))
    w1 = flat(model)
    if torch.equal(w0, w1):
        return "never moves"
    after = loss_fn(model(x), y).item()
    if abs(value - after) < abs(value - before):
        return "loss after the step"
    if any(p.grad is not None and p.grad.abs().sum() > 0 for p in model.parameters()):
        return "never clears"
    return "right"


# %% wrong_no_clone: keeps the weights without a copy, so they always look unmoved
import torch
from torch import nn


def diagnose(step):
    def fresh():
        torch.manual_seed(0)
        return nn.Sequential(nn.Linear(3, 4), nn.Sequential(nn.Tanh(), nn.Dropout(0.0)), nn.Linear(4, 1)).double()

    x = torch.arange(15, dtype=torch.float64).reshape(5, 3).sin()
    y = torch.arange(5, dtype=torch.float64).reshape(5, 1).cos()
    loss_fn = nn.MSELoss()

    def flat(model):
        return torch.cat([p.detach().flatten() for p in model.parameters()])

    # modes
    for root, inner in ((True, True), (True, False), (False, True), (False, False)):
        model = fresh().train(root)
        model[1].train(inner)
        was = [m.training for m in model.modules()]
        step(model, torch.optim.SGD(model.parameters(), lr=0.1), loss_fn, x, y)
        if [m.training for m in model.modules()] != was:
            return "changes the mode"

    model = fresh()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    w0 = list(model.parameters())
    before = loss_fn(model(x), y).item()
    value = float(step(model, opt, loss_fn, x, y))
    w1 = list(model.parameters())
    if all(torch.equal(a, b) for a, b in zip(w0, w1)):
        return "never moves"
    after = loss_fn(model(x), y).item()
    if abs(value - after) < abs(value - before):
        return "loss after the step"
    w1 = flat(model)
    g = torch.autograd.grad(loss_fn(model(x), y), list(model.parameters()))
    g = torch.cat([t.flatten() for t in g])
    step(model, opt, loss_fn, x, y)
    if not torch.allclose(flat(model), w1 - 0.1 * g):
        return "never clears"
    return "right"


# %% wrong_falling_loss: tells the loss after the step by two returned losses that fall, which they do for right steps as well
import torch
from torch import nn


def diagnose(step):
    def fresh():
        torch.manual_seed(0)
        return nn.Sequential(nn.Linear(3, 4), nn.Sequential(nn.Tanh(), nn.Dropout(0.0)), nn.Linear(4, 1)).double()

    x = torch.arange(15, dtype=torch.float64).reshape(5, 3).sin()
    y = torch.arange(5, dtype=torch.float64).reshape(5, 1).cos()
    loss_fn = nn.MSELoss()

    def flat(model):
        return torch.cat([p.detach().flatten() for p in model.parameters()])

    # modes
    for root, inner in ((True, True), (True, False), (False, True), (False, False)):
        model = fresh().train(root)
        model[1].train(inner)
        was = [m.training for m in model.modules()]
        step(model, torch.optim.SGD(model.parameters(), lr=0.1), loss_fn, x, y)
        if [m.training for m in model.modules()] != was:
            return "changes the mode"

    model = fresh()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    w0 = flat(model)
    before = loss_fn(model(x), y).item()
    value = float(step(model, opt, loss_fn, x, y))
    w1 = flat(model)
    if torch.equal(w0, w1):
        return "never moves"
    if float(step(model, opt, loss_fn, x, y)) < value:
        return "loss after the step"
    w1 = flat(model)
    g = torch.autograd.grad(loss_fn(model(x), y), list(model.parameters()))
    g = torch.cat([t.flatten() for t in g])
    step(model, opt, loss_fn, x, y)
    if not torch.allclose(flat(model), w1 - 0.1 * g):
        return "never clears"
    return "right"


# %% wrong_moves_if_gradient: takes a gradient in .grad for movement, misses a step that leaves out optimizer.step()
import torch
from torch import nn


def diagnose(step):
    def fresh():
        torch.manual_seed(0)
        return nn.Sequential(nn.Linear(3, 4), nn.Sequential(nn.Tanh(), nn.Dropout(0.0)), nn.Linear(4, 1)).double()

    x = torch.arange(15, dtype=torch.float64).reshape(5, 3).sin()
    y = torch.arange(5, dtype=torch.float64).reshape(5, 1).cos()
    loss_fn = nn.MSELoss()

    def flat(model):
        return torch.cat([p.detach().flatten() for p in model.parameters()])

    # modes
    for root, inner in ((True, True), (True, False), (False, True), (False, False)):
        model = fresh().train(root)
        model[1].train(inner)
        was = [m.training for m in model.modules()]
        step(model, torch.optim.SGD(model.parameters(), lr=0.1), loss_fn, x, y)
        if [m.training for m in model.modules()] != was:
            return "changes the mode"

    model = fresh()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    w0 = flat(model)
    before = loss_fn(model(x), y).item()
    value = float(step(model, opt, loss_fn, x, y))
    w1 = flat(model)
    if all(p.grad is None for p in model.parameters()):
        return "never moves"
    after = loss_fn(model(x), y).item()
    if abs(value - after) < abs(value - before):
        return "loss after the step"
    g = torch.autograd.grad(loss_fn(model(x), y), list(model.parameters()))
    g = torch.cat([t.flatten() for t in g])
    step(model, opt, loss_fn, x, y)
    if torch.equal(w0, flat(model)):
        return "right"
    if not torch.allclose(flat(model), w1 - 0.1 * g):
        return "never clears"
    return "right"


# %% right_one_weight: one weight with a known gradient, two steps, pure arithmetic
import torch
from torch import nn


class One(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.0], dtype=torch.float64))
        self.part = nn.Identity()

    def forward(self, x):
        return self.part(x * self.w)


def diagnose(step):
    x = torch.ones(2, 1, dtype=torch.float64)
    y = torch.zeros(2, 1, dtype=torch.float64)
    loss_fn = lambda out, target: (out - target).mean()
    finds = set()
    for root in (True, False):
        for part in (True, False):
            model = One()
            model.training, model.part.training = root, part
            opt = torch.optim.SGD(model.parameters(), lr=1.0)
            a = float(step(model, opt, loss_fn, x, y))
            b = float(step(model, opt, loss_fn, x, y))
            if (model.training, model.part.training) != (root, part):
                finds.add("changes the mode")
            w = model.w.item()  # right: -2, never clears: -3, never moves: 0
            if w == 0:
                finds.add("never moves")
            elif w == -3:
                finds.add("never clears")
            elif (a, b) == (-1.0, -2.0):
                finds.add("loss after the step")
    for name in ("changes the mode", "never moves", "never clears", "loss after the step"):
        if name in finds:
            return name
    return "right"


# %% right_reference: compares with a step of its own on a deep copy, on word numbers
import copy
import itertools
import torch
from torch import nn


def diagnose(step):
    torch.manual_seed(5)
    net = nn.Sequential(
        nn.Embedding(7, 3), nn.Flatten(), nn.Sequential(nn.LayerNorm(6), nn.ReLU()), nn.Linear(6, 3)
    )
    x, y = torch.randint(7, (9, 2)), torch.randint(3, (9,))
    loss_fn = nn.functional.cross_entropy
    parts = list(range(len(list(net.modules()))))
    for k in parts + [None, -1]:
        one = copy.deepcopy(net)
        for i, m in enumerate(one.modules()):
            m.training = (i == k) if k != -1 else True
        was = [m.training for m in one.modules()]
        step(one, torch.optim.SGD(one.parameters(), lr=0.01), loss_fn, x, y)
        if was != [m.training for m in one.modules()]:
            return "changes the mode"
    theirs, mine = copy.deepcopy(net), copy.deepcopy(net)
    t_opt = torch.optim.SGD(theirs.parameters(), lr=0.2)
    m_opt = torch.optim.SGD(mine.parameters(), lr=0.2)
    returned, wanted = [], []
    for _ in range(3):
        returned.append(float(step(theirs, t_opt, loss_fn, x, y)))
        m_opt.zero_grad()
        loss = loss_fn(mine(x), y)
        loss.backward()
        m_opt.step()
        wanted.append(loss.item())
    same = lambda a, b: all(torch.allclose(p, q, atol=1e-5) for p, q in zip(a.parameters(), b.parameters()))
    if same(theirs, net):
        return "never moves"
    if not same(theirs, mine):
        return "never clears"
    return "right" if abs(returned[0] - wanted[0]) < abs(returned[0] - wanted[1]) else "loss after the step"


# %% right_table: a table of symptoms, each symptom its own small experiment
import torch
from torch import nn


def world(lr):
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.Dropout(0.0)))
    data = torch.randn(6, 2), torch.randn(6, 2)
    return model, torch.optim.SGD(model.parameters(), lr=lr), nn.MSELoss(), *data


def changes_mode(step):
    for code in range(16):
        args = world(0.1)
        mods = list(args[0].modules())
        for i, m in enumerate(mods):
            m.training = bool(code >> i & 1)
        step(*args)
        if [m.training for m in mods] != [bool(code >> i & 1) for i in range(len(mods))]:
            return True
    return False


def never_moves(step):
    args = world(0.5)
    before = {k: v.clone() for k, v in args[0].state_dict().items()}
    step(*args)
    return all(torch.equal(v, before[k]) for k, v in args[0].state_dict().items())


def never_clears(step):
    args = world(0.0)
    step(*args)
    first = [p.detach().clone() for p in args[0].parameters()]
    args[1].param_groups[0]["lr"] = 1.0
    gradient = torch.autograd.grad(args[2](args[0](args[3]), args[4]), list(args[0].parameters()))
    step(*args)
    return not all(torch.allclose(f - g, p, atol=1e-5) for f, g, p in zip(first, gradient, args[0].parameters()))


def late_loss(step):
    args = world(0.5)
    with torch.no_grad():
        truth = args[2](args[0](args[3]), args[4]).item()
    return abs(float(step(*args)) - truth) > 1e-3


def diagnose(step):
    table = {
        "changes the mode": changes_mode,
        "never moves": never_moves,
        "never clears": never_clears,
        "loss after the step": late_loss,
    }
    return next((name for name, test in table.items() if test(step)), "right")


# %% wrong_spies_train: Calls any step that calls train() a change of the mode.
import torch
from torch import nn


class Spy(nn.Linear):
    called = 0

    def train(self, mode=True):
        Spy.called += 1
        return super().train(mode)


def diagnose(step):
    x, y = torch.ones(4, 2), torch.zeros(4, 1)
    model = Spy(2, 1)
    o = torch.optim.SGD(model.parameters(), lr=0.01)
    w, Spy.called = model.weight.detach().clone(), 0
    before = nn.functional.mse_loss(model(x), y).item()
    model.weight.grad = torch.full_like(w, 1e5)
    found = step(model, o, nn.MSELoss(), x, y)
    if Spy.called:
        return "changes the mode"
    if torch.equal(w, model.weight):
        return "never moves"
    if (w - model.weight).abs().max() > 100:
        return "never clears"
    return "right" if abs(found - before) < 1e-5 else "loss after the step"


# %% wrong_sign_of_move: compares only the direction of the second move, which old gradients of the same batch do not turn
import torch
from torch import nn


def _setup():
    g = torch.Generator().manual_seed(3)
    x = torch.randn(12, 4, generator=g)
    y = torch.arange(12) % 3
    model = nn.Sequential(nn.Linear(4, 5), nn.Sequential(nn.Tanh(), nn.Linear(5, 3)))
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.randn(p.shape, generator=g) * 0.5)
    return model, torch.optim.SGD(model.parameters(), lr=0.1), nn.CrossEntropyLoss(), x, y


def diagnose(step):
    # mode
    for first in (True, False):
        model, opt, f, x, y = _setup()
        model.train(first)
        was = [m.training for m in model.modules()]
        step(model, opt, f, x, y)
        if [m.training for m in model.modules()] != was:
            return "changes the mode"
    # moves
    model, opt, f, x, y = _setup()
    old = [p.detach().clone() for p in model.parameters()]
    before = f(model(x), y).item()
    out = float(step(model, opt, f, x, y))
    if all(torch.equal(a, b) for a, b in zip(old, model.parameters())):
        return "never moves"
    after = f(model(x), y).item()
    if abs(out - after) < abs(out - before):
        return "loss after the step"
    # clears
    clean = [p.detach() - o for p, o in zip(model.parameters(), old)]
    model, opt, f, x, y = _setup()
    f(model(x), y).backward()
    step(model, opt, f, x, y)
    for c, p, o in zip(clean, model.parameters(), old):
        if not torch.equal(c.sign(), (p.detach() - o).sign()):
            return "never clears"
    return "right"
