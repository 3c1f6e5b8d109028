# %% right_as_in_the_hint: Modes noted in a dict by name, no_grad as a with.
import torch


def measure(model, loader, loss_fn):
    modes = {name: module.training for name, module in model.named_modules()}
    model.eval()
    total = hits = n = 0
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            total += float(loss_fn(out, y)) * x.shape[0]
            hits += int(out.argmax(1).eq(y).sum())
            n += x.shape[0]
    for name, module in model.named_modules():
        module.training = modes[name]
    return float(total / n), float(hits / n)


# %% right_all_at_once: Gathers logits and targets, and computes loss and accuracy once for all examples.
import torch


def measure(model, loader, loss_fn):
    was = [(m, m.training) for m in model.modules()]
    model.eval()
    with torch.inference_mode():
        pairs = [(model(x), y) for x, y in loader]
        logits = torch.cat([p[0] for p in pairs])
        targets = torch.cat([p[1] for p in pairs])
        result = loss_fn(logits, targets).item(), (logits.argmax(-1) == targets).double().mean().item()
    for m, t in was:
        m.train(t)
    return result


# %% right_decorated: no_grad as a decorator, a running mean in place of a sum, try and finally.
import torch


@torch.no_grad()
def measure(model, loader, loss_fn):
    training = {id(m) for m in model.modules() if m.training}
    model.eval()
    loss, accuracy, seen = 0.0, 0.0, 0
    try:
        for inputs, targets in loader:
            k = targets.numel()
            logits = model(inputs)
            seen += k
            loss += (loss_fn(logits, targets).item() - loss) * k / seen
            guess = logits.topk(1, dim=1).indices.squeeze(1)
            accuracy += (sum(a == b for a, b in zip(guess.tolist(), targets.tolist())) / k - accuracy) * k / seen
    finally:
        for m in model.modules():
            m.training = id(m) in training
    return loss, accuracy


# %% right_grad_switched_by_hand: Turns autograd off and on by hand, and gives a list of two.
import torch


def measure(model, loader, loss_fn):
    before = torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    modes = [m.training for m in model.modules()]
    model.train(False)
    losses, rights, sizes = [], [], []
    for x, y in loader:
        z = model(x)
        losses.append(loss_fn(z, y).item())
        rights.append(z.softmax(1).max(1)[1].eq(y).sum().item())
        sizes.append(len(y))
    for m, t in zip(model.modules(), modes):
        m.training = t
    torch.set_grad_enabled(before)
    return [sum(a * b for a, b in zip(losses, sizes)) / sum(sizes), sum(rights) / sum(sizes)]


# %% wrong_grad_left_off: Turns autograd off for good.
import torch


def measure(model, loader, loss_fn):
    torch.set_grad_enabled(False)
    modes = [(m, m.training) for m in model.modules()]
    model.eval()
    total = hits = n = 0
    for x, y in loader:
        z = model(x)
        total += loss_fn(z, y).item() * len(y)
        hits += (z.argmax(1) == y).sum().item()
        n += len(y)
    for m, t in modes:
        m.training = t
    return total / n, hits / n


# %% wrong_reads_twice: Goes through the loader twice, once for the loss and once for the hits.
import torch


@torch.no_grad()
def measure(model, loader, loss_fn):
    modes = [(m, m.training) for m in model.modules()]
    model.eval()
    n = total = 0
    for x, y in loader:
        total += loss_fn(model(x), y).item() * len(y)
        n += len(y)
    hits = 0
    for x, y in loader:
        hits += (model(x).argmax(1) == y).sum().item()
    for m, t in modes:
        m.training = t
    return total / n, hits / n


# %% wrong_two_passes: Sends each batch through the model twice.
import torch


@torch.no_grad()
def measure(model, loader, loss_fn):
    modes = [(m, m.training) for m in model.modules()]
    model.eval()
    total = hits = n = 0
    for x, y in loader:
        total += loss_fn(model(x), y).item() * len(y)
        hits += (model(x).argmax(1) == y).sum().item()
        n += len(y)
    for m, t in modes:
        m.training = t
    return total / n, hits / n


# %% wrong_children_only: Notes the modes of the direct children, not of the whole.
import torch


@torch.no_grad()
def measure(model, loader, loss_fn):
    modes = [(m, m.training) for m in model.children()]
    model.eval()
    total = hits = n = 0
    for x, y in loader:
        z = model(x)
        total += loss_fn(z, y).item() * len(y)
        hits += (z.argmax(1) == y).sum().item()
        n += len(y)
    for m, t in modes:
        m.training = t
    return total / n, hits / n


# %% wrong_tensors: Gives tensors instead of floats.
import torch


@torch.no_grad()
def measure(model, loader, loss_fn):
    modes = [(m, m.training) for m in model.modules()]
    model.eval()
    total, hits, n = torch.tensor(0.0), torch.tensor(0.0), 0
    for x, y in loader:
        z = model(x)
        total += loss_fn(z, y) * len(y)
        hits += (z.argmax(1) == y).sum()
        n += len(y)
    for m, t in modes:
        m.training = t
    return total / n, hits / n


# %% wrong_weighted_by_first: Weighs by the size of the first batch, the last one too.
import torch


@torch.no_grad()
def measure(model, loader, loss_fn):
    modes = [(m, m.training) for m in model.modules()]
    model.eval()
    total = hits = n = 0
    size = None
    for x, y in loader:
        size = size or len(y)
        z = model(x)
        total += loss_fn(z, y).item() * size
        hits += (z.argmax(1) == y).sum().item()
        n += size
    for m, t in modes:
        m.training = t
    return total / n, hits / n


# %% wrong_percent: The accuracy in percent.
import torch


@torch.no_grad()
def measure(model, loader, loss_fn):
    modes = [(m, m.training) for m in model.modules()]
    model.eval()
    total = hits = n = 0
    for x, y in loader:
        z = model(x)
        total += loss_fn(z, y).item() * len(y)
        hits += (z.argmax(1) == y).sum().item()
        n += len(y)
    for m, t in modes:
        m.training = t
    return total / n, 100 * hits / n


# %% wrong_order: The accuracy first, then the loss.
import torch


@torch.no_grad()
def measure(model, loader, loss_fn):
    modes = [(m, m.training) for m in model.modules()]
    model.eval()
    total = hits = n = 0
    for x, y in loader:
        z = model(x)
        total += loss_fn(z, y).item() * len(y)
        hits += (z.argmax(1) == y).sum().item()
        n += len(y)
    for m, t in modes:
        m.training = t
    return hits / n, total / n


# %% wrong_loss_right_accuracy_of_batches: Weighs the loss, but averages the accuracies of the batches.
import torch


@torch.no_grad()
def measure(model, loader, loss_fn):
    modes = [(m, m.training) for m in model.modules()]
    model.eval()
    total = n = 0
    shares = []
    for x, y in loader:
        z = model(x)
        total += loss_fn(z, y).item() * len(y)
        shares.append((z.argmax(1) == y).float().mean().item())
        n += len(y)
    for m, t in modes:
        m.training = t
    return total / n, sum(shares) / len(shares)


# %% wrong_float32: Turns every input into float32.
import torch


@torch.no_grad()
def measure(model, loader, loss_fn):
    modes = [(m, m.training) for m in model.modules()]
    model.eval()
    total = hits = n = 0
    for x, y in loader:
        z = model(x.float())
        total += loss_fn(z, y).item() * len(y)
        hits += (z.argmax(1) == y).sum().item()
        n += len(y)
    for m, t in modes:
        m.training = t
    return total / n, hits / n


# %% wrong_clears: Clears the gradients to be safe.
import torch


@torch.no_grad()
def measure(model, loader, loss_fn):
    model.zero_grad()
    modes = [(m, m.training) for m in model.modules()]
    model.eval()
    total = hits = n = 0
    for x, y in loader:
        z = model(x)
        total += loss_fn(z, y).item() * len(y)
        hits += (z.argmax(1) == y).sum().item()
        n += len(y)
    for m, t in modes:
        m.training = t
    return total / n, hits / n


# %% wrong_restored_by_training_children: Puts children back by train(mode) from the leaves up, so that the root overwrites them.
import torch


@torch.no_grad()
def measure(model, loader, loss_fn):
    modes = [(m, m.training) for m in model.modules()]
    model.eval()
    total = hits = n = 0
    for x, y in loader:
        z = model(x)
        total += loss_fn(z, y).item() * len(y)
        hits += (z.argmax(1) == y).sum().item()
        n += len(y)
    for m, t in reversed(modes):
        m.train(t)
    return total / n, hits / n


# %% wrong_own_loss: Cross-entropy, whatever loss was handed over.
import torch
import torch.nn.functional as F


@torch.no_grad()
def measure(model, loader, loss_fn):
    modes = [(m, m.training) for m in model.modules()]
    model.eval()
    total = hits = n = 0
    for x, y in loader:
        z = model(x)
        total += F.cross_entropy(z, y, reduction="sum").item()
        hits += (z.argmax(1) == y).sum().item()
        n += len(y)
    for m, t in modes:
        m.training = t
    return total / n, hits / n


# %% wrong_mean_of_means: the loss is the mean over batches, so a small last batch counts too much
import torch


def measure(model, loader, loss_fn):
    modes = [(m, m.training) for m in model.modules()]
    model.eval()
    losses, right, n = [], 0, 0
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            losses.append(loss_fn(out, y).item())
            right += (out.argmax(1) == y).sum().item()
            n += len(y)
    for m, t in modes:
        m.training = t
    return sum(losses) / len(losses), right / n


# %% wrong_flattens_modes: restores the root's mode over all parts, a frozen part wakes up
import torch


def measure(model, loader, loss_fn):
    was = model.training
    model.eval()
    total, right, n = 0.0, 0, 0
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            total += loss_fn(out, y).item() * len(y)
            right += (out.argmax(1) == y).sum().item()
            n += len(y)
    model.train(was)
    return total / n, right / n


# %% wrong_records_graph: the forward pass records a graph
def measure(model, loader, loss_fn):
    modes = [(m, m.training) for m in model.modules()]
    model.eval()
    total, right, n = 0.0, 0, 0
    for x, y in loader:
        out = model(x)
        total += loss_fn(out, y).item() * len(y)
        right += (out.argmax(1) == y).sum().item()
        n += len(y)
    for m, t in modes:
        m.training = t
    return total / n, right / n


# %% wrong_reads_twice_again: reads the loader once for the loss and again for the accuracy
import torch


def measure(model, loader, loss_fn):
    modes = [(m, m.training) for m in model.modules()]
    model.eval()
    with torch.no_grad():
        total, n = 0.0, 0
        for x, y in loader:
            total += loss_fn(model(x), y).item() * len(y)
            n += len(y)
        right = 0
        for x, y in loader:
            right += (model(x).argmax(1) == y).sum().item()
    for m, t in modes:
        m.training = t
    return total / n, right / n


# %% wrong_eval_root_only: only the root's flag is set, dropout and BatchNorm inside still train
import torch


def measure(model, loader, loss_fn):
    was = model.training
    model.training = False
    total, right, n = 0.0, 0, 0
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            total += loss_fn(out, y).item() * len(y)
            right += (out.argmax(1) == y).sum().item()
            n += len(y)
    model.training = was
    return total / n, right / n


# %% wrong_sigmoid_argmax: the guess is the largest sigmoid, which saturates, so large logits tie
import torch


def measure(model, loader, loss_fn):
    modes = [(m, m.training) for m in model.modules()]
    model.eval()
    total, right, n = 0.0, 0, 0
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            total += loss_fn(out, y).item() * len(y)
            right += (torch.sigmoid(out).argmax(1) == y).sum().item()
            n += len(y)
    for m, t in modes:
        m.training = t
    return total / n, right / n


# %% wrong_children_only_again: remembers the modes of the root and its direct children, deeper ones are flattened
import torch


def measure(model, loader, loss_fn):
    was = model.training
    modes = {name: child.training for name, child in model.named_children()}
    model.eval()
    total, right, n = 0.0, 0, 0
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            total += loss_fn(out, y).item() * len(y)
            right += (out.argmax(1) == y).sum().item()
            n += len(y)
    model.train(was)
    for name, child in model.named_children():
        child.train(modes[name])
    return total / n, right / n


# %% wrong_squeezes: squeezes the logits, so a batch of one example breaks
import torch


def measure(model, loader, loss_fn):
    modes = [(m, m.training) for m in model.modules()]
    model.eval()
    total, right, n = 0.0, 0, 0
    with torch.no_grad():
        for x, y in loader:
            out = model(x).squeeze()
            total += loss_fn(out, y).item() * len(y)
            right += (out.argmax(1) == y).sum().item()
            n += len(y)
    for m, t in modes:
        m.training = t
    return total / n, right / n


# %% right_deep_copy: measures a deep copy in eval mode, the model itself is never touched
import copy
import torch


@torch.no_grad()
def measure(model, loader, loss_fn):
    twin = copy.deepcopy(model).eval()
    rows = []
    for x, y in loader:
        out = twin(x)
        rows.append((len(y), float(loss_fn(out, y)), int((out.max(dim=1).indices == y).sum())))
    n = sum(r[0] for r in rows)
    return sum(r[0] * r[1] for r in rows) / n, sum(r[2] for r in rows) / n


# %% right_one_big_batch: gathers all logits, then one call of the loss over all examples
import torch


def measure(model, loader, loss_fn):
    modes = {m: m.training for m in model.modules()}
    try:
        model.eval()
        with torch.no_grad():
            pairs = [(model(x), y) for x, y in loader]
            logits = torch.cat([p[0] for p in pairs])
            targets = torch.cat([p[1] for p in pairs])
            loss = loss_fn(logits, targets)
            acc = (logits.argmax(-1) == targets).double().mean()
    finally:
        for m, t in modes.items():
            m.training = t
    return loss.item(), acc.item()


# %% right_exit_stack: ExitStack with inference mode, running means, modules restored by callbacks
import contextlib
import torch


def measure(model, loader, loss_fn):
    with contextlib.ExitStack() as stack:
        stack.enter_context(torch.inference_mode())
        for m in model.modules():
            stack.callback(setattr, m, "training", m.training)
        model.train(False)
        n, loss, acc = 0, 0.0, 0.0
        for x, y in loader:
            k = y.shape[0]
            out = model(x)
            n += k
            loss += (loss_fn(out, y).item() - loss) * (k / n)
            hits = sum(int(g == t) for g, t in zip(out.topk(1, dim=1).indices[:, 0].tolist(), y.tolist()))
            acc += hits
        return loss, acc / n


# %% wrong_skips_eval_if_root_is: No eval() where the whole already says eval.
import torch


def measure(model, loader, loss_fn):
    modes = [(m, m.training) for m in model.modules()]
    if model.training:
        model.eval()
    total, right, n = 0.0, 0, 0
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            total += loss_fn(out, y).item() * len(y)
            right += (out.argmax(1) == y).sum().item()
            n += len(y)
    for m, t in modes:
        m.training = t
    return total / n, right / n


# %% wrong_bytes: Counts the hits of a batch in eight bits.
import torch


def measure(model, loader, loss_fn):
    modes = [(m, m.training) for m in model.modules()]
    model.eval()
    total, right, n = 0.0, 0, 0
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            total += loss_fn(out, y).item() * len(y)
            right += (out.argmax(1) == y).sum(dtype=torch.uint8).item()
            n += len(y)
    for m, t in modes:
        m.training = t
    return total / n, right / n


# %% wrong_thaws: No graph by requires_grad_(False), and afterwards every weight asks for a gradient.
def measure(model, loader, loss_fn):
    modes = [(m, m.training) for m in model.modules()]
    model.eval().requires_grad_(False)
    total, right, n = 0.0, 0, 0
    for x, y in loader:
        out = model(x)
        total += loss_fn(out, y).item() * len(y)
        right += (out.argmax(1) == y).sum().item()
        n += len(y)
    for m, t in modes:
        m.training = t
    model.requires_grad_(True)
    return total / n, right / n


# %% wrong_exp: The guess is the largest exp(logit).
import torch


def measure(model, loader, loss_fn):
    modes = [(m, m.training) for m in model.modules()]
    model.eval()
    total, right, n = 0.0, 0, 0
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            total += loss_fn(out, y).item() * len(y)
            right += (out.exp().argmax(1) == y).sum().item()
            n += len(y)
    for m, t in modes:
        m.training = t
    return total / n, right / n


# %% right_frozen_meanwhile: No graph because no weight asks for a gradient, each put back.
def measure(model, loader, loss_fn):
    modes = {m: m.training for m in model.modules()}
    asked = {p: p.requires_grad for p in model.parameters()}
    model.eval().requires_grad_(False)
    total, right, n = 0.0, 0, 0
    for x, y in loader:
        out = model(x)
        total += loss_fn(out, y).item() * len(y)
        right += (out.argmax(1) == y).sum().item()
        n += len(y)
    for m, t in modes.items():
        m.training = t
    for p, a in asked.items():
        p.requires_grad_(a)
    return total / n, right / n
