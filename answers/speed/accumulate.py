# %% right_autograd_grad: Asks autograd.grad, and adds by hand, in a list.
import torch


def accumulate(model, loss_fn, chunks):
    trained = [p for p in model.parameters() if p.requires_grad]
    total = sum(targets.shape[0] for _, targets in chunks)
    sums = [None] * len(trained)
    for inputs, targets in chunks:
        loss = loss_fn(model(inputs), targets)
        for i, part in enumerate(torch.autograd.grad(loss, trained, allow_unused=True)):
            if part is not None:
                part = part * (targets.shape[0] / total)
                sums[i] = part if sums[i] is None else sums[i] + part
    model.zero_grad()
    for parameter, gradient in zip(trained, sums, strict=True):
        parameter.grad = gradient


# %% right_divided_at_the_end: Sums first, and divides the gradients at the end.
import torch


def accumulate(model, loss_fn, chunks):
    for parameter in model.parameters():
        parameter.grad = None
    seen = 0
    for inputs, targets in chunks:
        loss_fn(model(inputs), targets).mul(inputs.size(0)).backward()
        seen += inputs.size(0)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.grad is not None:
                parameter.grad.div_(seen)


# %% right_gradient_argument: Hands backward its first gradient.
import torch


def accumulate(model, loss_fn, chunks):
    sizes = torch.tensor([float(len(inputs)) for inputs, _ in chunks])
    model.zero_grad(set_to_none=True)
    for share, (inputs, targets) in zip(sizes / sizes.sum(), chunks, strict=True):
        loss = loss_fn(model(inputs), targets)
        loss.backward(gradient=share.to(loss))
        del loss


# %% right_helper_function: A function for one chunk, whose names are gone when it ends; from the last chunk on.
def accumulate(model, loss_fn, chunks):
    def part(inputs, targets, share):
        (share * loss_fn(model(inputs), targets)).backward()

    model.zero_grad(set_to_none=True)
    number = sum(len(chunk[1]) for chunk in chunks)
    for chunk in reversed(chunks):
        part(*chunk, share=len(chunk[1]) / number)


# %% right_weighted_loss: Each loss is weighted by its share of the examples.
def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    for inputs, targets in chunks:
        loss = loss_fn(model(inputs), targets) * len(inputs) / total
        loss.backward()


# %% wrong_clipped: Clips the gradient at the end, as a loop with accumulation often does.
from torch import nn


def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    for inputs, targets in chunks:
        loss = loss_fn(model(inputs), targets) * len(inputs) / total
        loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)


# %% wrong_cross_entropy: Uses cross entropy, whatever loss was given.
import torch.nn.functional as F


def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    for inputs, targets in chunks:
        loss = F.cross_entropy(model(inputs), targets) * len(inputs) / total
        loss.backward()


# %% wrong_divides_every_grad: Divides every .grad afterwards, and stops at a frozen parameter, which has none.
def accumulate(model, loss_fn, chunks):
    total = 0
    model.zero_grad()
    for inputs, targets in chunks:
        (loss_fn(model(inputs), targets) * len(inputs)).backward()
        total += len(inputs)
    for parameter in model.parameters():
        parameter.grad /= total


# %% wrong_drops_small_chunk: Leaves out a last chunk that is smaller than the first.
def accumulate(model, loss_fn, chunks):
    full = [chunk for chunk in chunks if len(chunk[0]) >= len(chunks[0][0])]
    total = sum(len(inputs) for inputs, _ in full)
    model.zero_grad()
    for inputs, targets in full:
        (loss_fn(model(inputs), targets) * (len(inputs) / total)).backward()


# %% wrong_eval_mode: Switches the model to eval and leaves it there.
def accumulate(model, loss_fn, chunks):
    model.eval()
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    for inputs, targets in chunks:
        loss = loss_fn(model(inputs), targets) * len(inputs) / total
        loss.backward()


# %% wrong_first_chunks_size: Takes every chunk for as large as the first.
def accumulate(model, loss_fn, chunks):
    size = len(chunks[0][0])
    model.zero_grad()
    for inputs, targets in chunks:
        (loss_fn(model(inputs), targets) * len(inputs) / (size * len(chunks))).backward()


# %% wrong_grad_has_graph: Leaves gradients that carry a graph themselves.
def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    for inputs, targets in chunks:
        loss = loss_fn(model(inputs), targets) * len(inputs) / total
        loss.backward(create_graph=True)


# %% wrong_graph_retained: Retains each graph, which is still there when the next chunk comes.
def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    for inputs, targets in chunks:
        loss = loss_fn(model(inputs), targets) * len(inputs) / total
        loss.backward(retain_graph=True)


# %% wrong_half_and_half: Averages each new gradient with the old, so the last chunk weighs half.
import torch


def accumulate(model, loss_fn, chunks):
    parameters = [p for p in model.parameters() if p.requires_grad]
    means = None
    for inputs, targets in chunks:
        found = torch.autograd.grad(loss_fn(model(inputs), targets), parameters)
        means = found if means is None else [(m + f) / 2 for m, f in zip(means, found, strict=True)]
    for parameter, mean in zip(parameters, means, strict=True):
        parameter.grad = mean


# %% wrong_last_size: Divides by the size of the last chunk times their number.
def accumulate(model, loss_fn, chunks):
    model.zero_grad()
    total = len(chunks) * len(chunks[-1][0])
    for index in range(len(chunks)):
        outputs = model(chunks[index][0])
        loss_fn(outputs, chunks[index][1]).mul(len(outputs) / total).backward()


# %% wrong_len_of_pair: Takes the length of the pair for the size of the chunk.
def accumulate(model, loss_fn, chunks):
    total = sum(len(chunk) for chunk in chunks)
    model.zero_grad()
    for chunk in chunks:
        inputs, targets = chunk
        (loss_fn(model(inputs), targets) * len(chunk) / total).backward()


# %% wrong_losses_kept: Keeps the losses with their retained graphs in a list, for a log.
def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    losses = []
    for inputs, targets in chunks:
        losses.append(loss_fn(model(inputs), targets) * len(inputs) / total)
        losses[-1].backward(retain_graph=True)


# %% wrong_mean_of_means: Every chunk has the same weight, large or small.
def accumulate(model, loss_fn, chunks):
    model.zero_grad()
    for inputs, targets in chunks:
        loss = loss_fn(model(inputs), targets) / len(chunks)
        loss.backward()


# %% wrong_old_gradients_stay: What was in .grad before is still in it.
def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    for inputs, targets in chunks:
        loss = loss_fn(model(inputs), targets) * len(inputs) / total
        loss.backward()


# %% wrong_one_backward: Adds the losses and goes back once: all graphs are kept till then.
def accumulate(model, loss_fn, chunks):
    total = sum(len(targets) for _, targets in chunks)
    model.zero_grad()
    loss = 0.0
    for inputs, targets in chunks:
        loss = loss + loss_fn(model(inputs), targets) * (len(targets) / total)
    loss.backward()


# %% wrong_one_big_batch: Joins the chunks and sends all through the model at once.
import torch


def accumulate(model, loss_fn, chunks):
    inputs = torch.cat([inputs for inputs, _ in chunks])
    targets = torch.cat([targets for _, targets in chunks])
    model.zero_grad()
    loss_fn(model(inputs), targets).backward()


# %% wrong_outputs_first: Sends all chunks through the model first, then goes back chunk by chunk.
def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    losses = [loss_fn(model(inputs), targets) * len(inputs) / total for inputs, targets in chunks]
    for loss in losses:
        loss.backward()


# %% wrong_pops_chunks: Takes the chunks out of the list that was given.
def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    while chunks:
        inputs, targets = chunks.pop()
        (loss_fn(model(inputs), targets) * len(inputs) / total).backward()


# %% wrong_returns_loss: Hands back the mean loss, where nothing is to be returned.
def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    whole = 0.0
    for inputs, targets in chunks:
        loss = loss_fn(model(inputs), targets) * len(inputs) / total
        loss.backward()
        whole += loss.item()
    return whole


# %% wrong_running_total: Divides by the examples seen so far, not by all.
def accumulate(model, loss_fn, chunks):
    seen = 0
    model.zero_grad()
    for inputs, targets in chunks:
        seen += len(inputs)
        loss = loss_fn(model(inputs), targets) * len(inputs) / seen
        loss.backward()


# %% wrong_seed: Sets the global seed on the way.
import torch


def accumulate(model, loss_fn, chunks):
    torch.manual_seed(0)
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    for inputs, targets in chunks:
        loss = loss_fn(model(inputs), targets) * len(inputs) / total
        loss.backward()


# %% wrong_skips_single_examples: Leaves out chunks of one example.
def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    for inputs, targets in chunks:
        if len(inputs) > 1:
            (loss_fn(model(inputs), targets) * len(inputs) / total).backward()


# %% wrong_squeezed: Squeezes the outputs, which breaks a chunk of one example.
def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    for inputs, targets in chunks:
        loss = loss_fn(model(inputs).squeeze(), targets) * len(inputs) / total
        loss.backward()


# %% wrong_step: Takes a step with the gradients.
import torch


def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    for inputs, targets in chunks:
        loss = loss_fn(model(inputs), targets) * len(inputs) / total
        loss.backward()
    torch.optim.SGD(model.parameters(), lr=0.1).step()


# %% wrong_sum_of_means: The means of the chunks are added, not averaged.
def accumulate(model, loss_fn, chunks):
    model.zero_grad()
    for inputs, targets in chunks:
        loss = loss_fn(model(inputs), targets)
        loss.backward()


# %% wrong_sum_reduction: Sums by the reduction of cross entropy instead of asking the loss that was given.
import torch
import torch.nn.functional as F


def accumulate(model, loss_fn, chunks):
    model.zero_grad()
    count = 0
    for inputs, targets in chunks:
        outputs = model(inputs)
        if targets.dtype == torch.long:
            F.cross_entropy(outputs, targets, reduction="sum").backward()
        else:
            F.mse_loss(outputs, targets, reduction="sum").backward()
        count += len(targets)
    for parameter in model.parameters():
        if parameter.grad is not None:
            parameter.grad.div_(count)


# %% wrong_train_mode: Switches the model to train, whatever it was.
def accumulate(model, loss_fn, chunks):
    model.train()
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    for inputs, targets in chunks:
        loss = loss_fn(model(inputs), targets) * len(inputs) / total
        loss.backward()


# %% wrong_unfreezes: Switches the gradients of all parameters on.
def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    for parameter in model.parameters():
        parameter.requires_grad_(True)
        parameter.grad = None
    for inputs, targets in chunks:
        (loss_fn(model(inputs), targets) * len(inputs) / total).backward()


# %% wrong_weights_by_numbers: Weighs by the numbers in the inputs, against a total in examples.
def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    for inputs, targets in chunks:
        (loss_fn(model(inputs), targets) * inputs.numel() / total).backward()


# %% wrong_weights_in_place: Multiplies the gradients of the old chunks too, at every chunk.
def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    for inputs, targets in chunks:
        loss_fn(model(inputs), targets).backward()
        for parameter in model.parameters():
            if parameter.grad is not None:
                parameter.grad *= len(inputs) / total


# %% wrong_zeroed_each_time: Clears the gradients before each chunk: the last one alone is left.
def accumulate(model, loss_fn, chunks):
    total = sum(map(len, (inputs for inputs, _ in chunks)))
    for inputs, targets in chunks:
        model.zero_grad()
        loss = loss_fn(model(inputs), targets) * len(inputs) / total
        loss.backward()


# %% wrong_frozen_zeros: Gives the frozen parameters a gradient of zeros.
import torch


def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    for inputs, targets in chunks:
        loss = loss_fn(model(inputs), targets) * len(inputs) / total
        loss.backward()
    for p in model.parameters():
        if p.grad is None:
            p.grad = torch.zeros_like(p)


# %% wrong_cleared_to_zeros: Clears to zeros, so that the frozen one keeps a gradient.
def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad(set_to_none=False)
    for inputs, targets in chunks:
        loss = loss_fn(model(inputs), targets) * len(inputs) / total
        loss.backward()


# %% wrong_only_trained_cleared: Leaves the old gradient of a frozen parameter.
def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    for p in model.parameters():
        if p.requires_grad:
            p.grad = None
    for inputs, targets in chunks:
        loss = loss_fn(model(inputs), targets) * len(inputs) / total
        loss.backward()


# %% wrong_mode_of_all: Sets every layer to the mode of the model.
def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    model.zero_grad()
    model.train(model.training)
    for inputs, targets in chunks:
        loss = loss_fn(model(inputs), targets) * len(inputs) / total
        loss.backward()


# %% wrong_train_inside: In train mode during the work, and back at the end.
def accumulate(model, loss_fn, chunks):
    total = sum(len(inputs) for inputs, _ in chunks)
    modes = [m.training for m in model.modules()]
    model.train()
    model.zero_grad()
    for inputs, targets in chunks:
        loss = loss_fn(model(inputs), targets) * len(inputs) / total
        loss.backward()
    for m, mode in zip(model.modules(), modes, strict=True):
        m.training = mode


# %% wrong_unreached_fails: divides each trainable gradient at the end, one that is None raises
def accumulate(model, loss_fn, chunks):
    model.zero_grad()
    total = 0
    for inputs, targets in chunks:
        n = inputs.shape[0]
        (loss_fn(model(inputs), targets) * n).backward()
        total += n
    for p in model.parameters():
        if p.requires_grad:
            p.grad /= total


# %% wrong_unreached_zeros: Leaves zeros where the loss reaches nothing.
import torch


def accumulate(model, loss_fn, chunks):
    trained = [p for p in model.parameters() if p.requires_grad]
    total = sum(len(targets) for _, targets in chunks)
    model.zero_grad()
    for p in trained:
        p.grad = torch.zeros_like(p)
    for inputs, targets in chunks:
        (loss_fn(model(inputs), targets) * (len(targets) / total)).backward()


# %% wrong_tied_divided_twice: Divides at the end, module by module: a shared weight twice.
def accumulate(model, loss_fn, chunks):
    model.zero_grad()
    total = 0
    for inputs, targets in chunks:
        (loss_fn(model(inputs), targets) * len(targets)).backward()
        total += len(targets)
    for module in model.modules():
        for p in module.parameters(recurse=False):
            if p.grad is not None:
                p.grad /= total


# %% wrong_as_first_chunk: Sums the gradients of what the first chunk reaches.
def accumulate(model, loss_fn, chunks):
    total = sum(len(targets) for _, targets in chunks)
    sums = {}
    for number, (inputs, targets) in enumerate(chunks):
        model.zero_grad()
        (loss_fn(model(inputs), targets) * (len(targets) / total)).backward()
        for name, p in model.named_parameters():
            if p.grad is not None and (number == 0 or name in sums):
                sums[name] = sums.get(name, 0) + p.grad
    for name, p in model.named_parameters():
        p.grad = sums.get(name)


# %% wrong_seeds_python: Sets the seed of Python's generator.
import random


def accumulate(model, loss_fn, chunks):
    random.seed(0)
    total = sum(len(targets) for _, targets in chunks)
    model.zero_grad()
    for inputs, targets in chunks:
        (loss_fn(model(inputs), targets) * (len(targets) / total)).backward()


# %% right_running_mean: A mean that each chunk moves by its share of what was seen so far.
def accumulate(model, loss_fn, chunks):
    model.zero_grad(set_to_none=True)
    seen = 0
    for inputs, targets in chunks:
        here = len(targets)
        for p in model.parameters():
            if p.grad is not None:
                p.grad *= seen / (seen + here)
        seen += here
        (loss_fn(model(inputs), targets) * (here / seen)).backward()


# %% right_torch_functions: Divides first, by functions of torch.
import torch


def accumulate(model, loss_fn, chunks):
    for p in model.parameters():
        p.grad = None
    total = torch.tensor([len(targets) for _, targets in chunks]).sum().item()
    for inputs, targets in chunks:
        torch.div(loss_fn(model(inputs), targets), total).mul(len(targets)).backward()
