# %% wrong_zero_grad_at_the_end: gradients left in the model by earlier work are added to the first step's
import torch
from torch import nn
import torch.nn.functional as F


def mended(model, optimizer, batches, pixels, every):
    pixels = pixels.float()
    mean, std = pixels.mean(), pixels.std()
    log, total = [], 0.0
    for step, (pictures, answers) in enumerate(batches, 1):
        loss = F.cross_entropy(model((pictures.float() - mean) / std), answers)
        loss.backward()
        total = total + loss.detach().double()
        if step % every == 0:
            gradient = torch.cat([p.grad.flatten() for p in model.parameters()])
            log.append((step, total.item() / every, gradient.abs().quantile(0.99).item()))
            total = 0.0
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
    return log


# %% right_running_mean: Adds up detached losses and reads twice at an entry.
import torch
import torch.nn.functional as F
from torch import nn


def mended(model, optimizer, batches, pixels, every):
    floats = pixels.float()
    std, mean = torch.std_mean(floats)
    log, total = [], 0.0
    for step, (pictures, answers) in enumerate(batches, 1):
        loss = F.cross_entropy(model((pictures.float() - mean) / std), answers)
        optimizer.zero_grad()
        loss.backward()
        entry = step % every == 0
        if entry:
            gradient = torch.cat([p.grad.flatten() for p in model.parameters()])
            large = gradient.abs().quantile(0.99)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total = total + loss.detach()
        if entry:
            log.append((step, (total / every).item(), large.item()))
            total = 0.0
    return log


# %% right_read_at_the_end: Keeps tensors on the device during the run and reads all of them in one call after it.
import torch
from torch import nn


def mended(model, optimizer, batches, pixels, every):
    mean, std = float(pixels.double().mean()), float(pixels.double().std())
    loss_fn = nn.CrossEntropyLoss()
    losses, figures = [], []
    for number, (pictures, answers) in enumerate(batches):
        optimizer.zero_grad(set_to_none=False)
        loss = loss_fn(model(pictures.float().sub_(mean).div_(std)), answers)
        loss.backward()
        losses.append(loss.detach())
        if (number + 1) % every == 0:
            figures.append(torch.cat([p.grad.reshape(-1) for p in model.parameters()]).abs_().quantile(0.99))
        nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
        optimizer.step()
    if not figures:
        return []
    means = torch.stack(losses[: len(figures) * every]).view(-1, every).mean(dim=1).tolist()
    numbers = range(every, len(losses) + 1, every)
    return list(zip(numbers, means, torch.stack(figures).tolist()))


# %% right_inner_functions: Small functions inside, and a buffer of a fixed size for the losses.
import torch
import torch.nn.functional as F
from torch.nn.utils import clip_grad_norm_, parameters_to_vector


def mended(model, optimizer, batches, pixels, every):
    whole = pixels.to(torch.float32)
    shift, width = whole.mean(), whole.std()
    recent = torch.zeros(every)

    def backward(pictures, answers):
        optimizer.zero_grad()
        loss = F.cross_entropy(model((pictures - shift) / width), answers)
        loss.backward()
        return loss.detach()

    def figure():
        return torch.quantile(parameters_to_vector(p.grad for p in model.parameters()).abs(), 0.99)

    log = []
    for step, batch in enumerate(batches, start=1):
        recent[(step - 1) % every] = backward(*batch)
        if not step % every:
            log.append((step, *torch.stack([recent.mean(), figure()]).tolist()))
        clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    return log


# %% right_log_softmax: The loss written out for the whole batch, as a mean of picked logarithms.
import torch
from torch import nn


def mended(model, optimizer, batches, pixels, every):
    mean, std = pixels.float().mean(), pixels.float().std()
    log, since = [], []
    step = 0
    for pictures, answers in batches:
        step += 1
        likely = model((pictures.float() - mean) / std).log_softmax(dim=1)
        loss = -likely.gather(1, answers[:, None]).mean()
        optimizer.zero_grad()
        loss.backward()
        since.append(loss.detach())
        gradients = [p.grad.clone() for p in model.parameters()] if step % every == 0 else []
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if gradients:
            sizes = torch.cat([g.flatten() for g in gradients]).abs()
            log.append((step, float(sum(since) / every), float(sizes.quantile(0.99))))
            since.clear()
    return log


# %% wrong_no_figure: Leaves the quantile out altogether, since it was the dearest.
import torch
import torch.nn.functional as F
from torch import nn


def mended(model, optimizer, batches, pixels, every):
    mean, std = pixels.float().mean(), pixels.float().std()
    log, losses = [], []
    for step, (pictures, answers) in enumerate(batches, 1):
        loss = F.cross_entropy(model((pictures.float() - mean) / std), answers)
        optimizer.zero_grad()
        loss.backward()
        losses.append(loss.detach())
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % every == 0:
            log.append((step, torch.stack(losses).mean().item(), 0.0))
            losses = []
    return log


# %% wrong_only_two_mended: Mends the statistics and the loss, and leaves the log as it was.
import torch
import torch.nn.functional as F
from torch import nn


def mended(model, optimizer, batches, pixels, every):
    mean, std = pixels.float().mean(), pixels.float().std()
    log, total = [], 0.0
    for step, (pictures, answers) in enumerate(batches, 1):
        logits = model((pictures.float() - mean) / std)
        loss = F.cross_entropy(logits, answers)
        optimizer.zero_grad()
        loss.backward()
        gradient = torch.cat([p.grad.flatten() for p in model.parameters()])
        large = gradient.abs().quantile(0.99).item()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item()
        if step % every == 0:
            log.append((step, total / every, large))
            total = 0.0
    return log


# %% wrong_only_the_log_mended: Mends the log, and never looks at how often the other rows are called.
import torch
import torch.nn.functional as F
from torch import nn


def mended(model, optimizer, batches, pixels, every):
    log, losses = [], []
    for step, (pictures, answers) in enumerate(batches, 1):
        mean, std = pixels.float().mean(), pixels.float().std()
        logits = model((pictures.float() - mean) / std)
        rows = [F.cross_entropy(row, answer) for row, answer in zip(logits, answers)]
        loss = torch.stack(rows).mean()
        optimizer.zero_grad()
        loss.backward()
        losses.append(loss.detach())
        if step % every == 0:
            gradient = torch.cat([p.grad.flatten() for p in model.parameters()])
            log.append((step, torch.stack(losses).mean().item(), gradient.abs().quantile(0.99).item()))
            losses = []
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    return log


# %% wrong_cat_at_each_step: Takes the quantile at entries only, but still strings the gradient together at every step.
import torch
import torch.nn.functional as F
from torch import nn


def mended(model, optimizer, batches, pixels, every):
    mean, std = pixels.float().mean(), pixels.float().std()
    log, total = [], 0.0
    for step, (pictures, answers) in enumerate(batches, 1):
        loss = F.cross_entropy(model((pictures.float() - mean) / std), answers)
        optimizer.zero_grad()
        loss.backward()
        total += loss.detach()
        gradient = torch.cat([p.grad.flatten() for p in model.parameters()])
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % every == 0:
            log.append((step, total.item() / every, gradient.abs().quantile(0.99).item()))
            total = 0.0
    return log


# %% wrong_normalises_one_by_one: One loss for the batch, but now the pictures are normalised one by one.
import torch
import torch.nn.functional as F
from torch import nn


def mended(model, optimizer, batches, pixels, every):
    mean, std = pixels.float().mean(), pixels.float().std()
    log, losses = [], []
    for step, (pictures, answers) in enumerate(batches, 1):
        inputs = torch.stack([(picture.float() - mean) / std for picture in pictures])
        loss = F.cross_entropy(model(inputs), answers)
        optimizer.zero_grad()
        loss.backward()
        losses.append(loss.detach())
        if step % every == 0:
            gradient = torch.cat([p.grad.flatten() for p in model.parameters()])
            log.append((step, torch.stack(losses).mean().item(), gradient.abs().quantile(0.99).item()))
            losses.clear()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    return log


# %% wrong_sum_of_losses: One call for the batch, with the sum of the losses where their mean belongs.
import torch
import torch.nn.functional as F
from torch import nn


def mended(model, optimizer, batches, pixels, every):
    mean, std = pixels.float().mean(), pixels.float().std()
    log, total = [], 0.0
    for step, (pictures, answers) in enumerate(batches, 1):
        loss = F.cross_entropy(model((pictures.float() - mean) / std), answers, reduction="sum")
        optimizer.zero_grad()
        loss.backward()
        total += loss.detach()
        if step % every == 0:
            gradient = torch.cat([p.grad.flatten() for p in model.parameters()])
            log.append((step, (total / every).item(), gradient.abs().quantile(0.99).item()))
            total = 0.0
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    return log


# %% wrong_no_clipping: Takes clipping for a part of the log, and leaves it out.
import torch
import torch.nn.functional as F


def mended(model, optimizer, batches, pixels, every):
    mean, std = pixels.float().mean(), pixels.float().std()
    log, total = [], 0.0
    for step, (pictures, answers) in enumerate(batches, 1):
        loss = F.cross_entropy(model((pictures.float() - mean) / std), answers)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.detach()
        if step % every == 0:
            gradient = torch.cat([p.grad.flatten() for p in model.parameters()])
            log.append((step, (total / every).item(), gradient.abs().quantile(0.99).item()))
            total = 0.0
    return log


# %% wrong_clips_at_entries: Moves the clipping under the `if` together with the quantile.
import torch
import torch.nn.functional as F
from torch import nn


def mended(model, optimizer, batches, pixels, every):
    mean, std = pixels.float().mean(), pixels.float().std()
    log, total = [], 0.0
    for step, (pictures, answers) in enumerate(batches, 1):
        loss = F.cross_entropy(model((pictures.float() - mean) / std), answers)
        optimizer.zero_grad()
        loss.backward()
        total += loss.detach()
        if step % every == 0:
            gradient = torch.cat([p.grad.flatten() for p in model.parameters()])
            log.append((step, (total / every).item(), gradient.abs().quantile(0.99).item()))
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            total = 0.0
        optimizer.step()
    return log


# %% wrong_mean_since_the_start: Never begins the sum anew, so an entry's mean has all steps in it.
import torch
import torch.nn.functional as F
from torch import nn


def mended(model, optimizer, batches, pixels, every):
    mean, std = pixels.float().mean(), pixels.float().std()
    log, losses = [], []
    for step, (pictures, answers) in enumerate(batches, 1):
        loss = F.cross_entropy(model((pictures.float() - mean) / std), answers)
        optimizer.zero_grad()
        loss.backward()
        losses.append(loss.detach())
        if step % every == 0:
            gradient = torch.cat([p.grad.flatten() for p in model.parameters()])
            log.append((step, torch.stack(losses).mean().item(), gradient.abs().quantile(0.99).item()))
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    return log


# %% wrong_numpy_std: The statistics by numpy, whose standard deviation divides by the number, not by one less.
import torch
import torch.nn.functional as F
from torch import nn


def mended(model, optimizer, batches, pixels, every):
    array = pixels.numpy()
    mean, std = float(array.mean()), float(array.std())
    log, losses = [], []
    for step, (pictures, answers) in enumerate(batches, 1):
        loss = F.cross_entropy(model((pictures.float() - mean) / std), answers)
        optimizer.zero_grad()
        loss.backward()
        losses.append(loss.detach())
        if step % every == 0:
            gradient = torch.cat([p.grad.flatten() for p in model.parameters()])
            log.append((step, torch.stack(losses).mean().item(), gradient.abs().quantile(0.99).item()))
            losses = []
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    return log


# %% wrong_reads_the_kept: Keeps the losses as tensors, and then reads each of them at the entry.
import torch
import torch.nn.functional as F
from torch import nn


def mended(model, optimizer, batches, pixels, every):
    mean, std = pixels.float().mean(), pixels.float().std()
    log, losses = [], []
    for step, (pictures, answers) in enumerate(batches, 1):
        loss = F.cross_entropy(model((pictures.float() - mean) / std), answers)
        optimizer.zero_grad()
        loss.backward()
        losses.append(loss.detach())
        if step % every == 0:
            gradient = torch.cat([p.grad.flatten() for p in model.parameters()])
            mean_loss = sum(one.item() for one in losses) / every
            log.append((step, mean_loss, gradient.abs().quantile(0.99).item()))
            losses = []
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    return log


# %% wrong_tolist: Avoids `.item()` by `.tolist()`, at every step.
import torch
import torch.nn.functional as F
from torch import nn


def mended(model, optimizer, batches, pixels, every):
    mean, std = pixels.float().mean(), pixels.float().std()
    log, losses = [], []
    for step, (pictures, answers) in enumerate(batches, 1):
        loss = F.cross_entropy(model((pictures.float() - mean) / std), answers)
        optimizer.zero_grad()
        loss.backward()
        losses.append(loss.tolist())
        if step % every == 0:
            gradient = torch.cat([p.grad.flatten() for p in model.parameters()])
            log.append((step, sum(losses) / every, gradient.abs().quantile(0.99).tolist()))
            losses = []
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    return log


# %% wrong_tensors_in_the_log: Never reads anything: the entries hold tensors.
import torch
import torch.nn.functional as F
from torch import nn


def mended(model, optimizer, batches, pixels, every):
    mean, std = pixels.float().mean(), pixels.float().std()
    log, losses = [], []
    for step, (pictures, answers) in enumerate(batches, 1):
        loss = F.cross_entropy(model((pictures.float() - mean) / std), answers)
        optimizer.zero_grad()
        loss.backward()
        losses.append(loss.detach())
        if step % every == 0:
            gradient = torch.cat([p.grad.flatten() for p in model.parameters()])
            log.append((step, torch.stack(losses).mean(), gradient.abs().quantile(0.99)))
            losses = []
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    return log


# %% wrong_steps_from_zero: Counts the steps from 0, so that the entries come a step early.
import torch
import torch.nn.functional as F
from torch import nn


def mended(model, optimizer, batches, pixels, every):
    mean, std = pixels.float().mean(), pixels.float().std()
    log, total = [], 0.0
    for step, (pictures, answers) in enumerate(batches):
        loss = F.cross_entropy(model((pictures.float() - mean) / std), answers)
        optimizer.zero_grad()
        loss.backward()
        total += loss.detach()
        if step % every == 0:
            gradient = torch.cat([p.grad.flatten() for p in model.parameters()])
            log.append((step, float(total) / every, gradient.abs().quantile(0.99).item()))
            total = 0.0
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    return log


# %% wrong_cached_first_batch: Normalises by the first batch, once, and takes that for the statistics of all.
import torch
import torch.nn.functional as F
from torch import nn


def mended(model, optimizer, batches, pixels, every):
    first = batches[0][0].float()
    mean, std = first.mean(), first.std()
    log, losses = [], []
    for step, (pictures, answers) in enumerate(batches, 1):
        loss = F.cross_entropy(model((pictures.float() - mean) / std), answers)
        optimizer.zero_grad()
        loss.backward()
        losses.append(loss.detach())
        if step % every == 0:
            gradient = torch.cat([p.grad.flatten() for p in model.parameters()])
            log.append((step, torch.stack(losses).mean().item(), gradient.abs().quantile(0.99).item()))
            losses = []
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    return log


# %% wrong_figure_of_each_layer: The largest of the layers' quantiles, so as not to string the gradient together.
import torch
import torch.nn.functional as F
from torch import nn


def mended(model, optimizer, batches, pixels, every):
    mean, std = pixels.float().mean(), pixels.float().std()
    log, losses = [], []
    for step, (pictures, answers) in enumerate(batches, 1):
        loss = F.cross_entropy(model((pictures.float() - mean) / std), answers)
        optimizer.zero_grad()
        loss.backward()
        losses.append(loss.detach())
        if step % every == 0:
            large = max(p.grad.abs().flatten().quantile(0.99) for p in model.parameters())
            log.append((step, torch.stack(losses).mean().item(), large.item()))
            losses = []
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    return log
