"""Questions of chapter 05: parameters, the five steps, a fair mean, a schedule, an average that forgets."""

import math
from collections.abc import Callable

import torch
from torch import nn

from course_utils.checks.exercise import Exercise


def conv2_parameters():
    """One 5×5 kernel for every pair of input and output channel, and one bias for every output channel."""
    in_channels, out_channels, kernel = 20, 50, 5
    return out_channels * in_channels * kernel * kernel + out_channels


def no_biases():
    """You counted the kernels and left out the biases: one for each of the 50 output channels."""
    return 50 * 20 * 5 * 5


def one_kernel_for_each_output():
    """You gave each output channel one 5×5 kernel. It has one for *every input channel*: 20 of them."""
    return 50 * 5 * 5 + 50


def bias_for_each_input():
    """The biases belong to the 50 output channels, not to the 20 input channels."""
    return 50 * 20 * 5 * 5 + 20


conv2_parameters = Exercise(
    conv2_parameters,
    mistakes=(no_biases, one_kernel_for_each_output, bias_for_each_input),
    hints=(
        "Look at the shape of `model.conv2.weight`: four numbers. What does each of them count?",
        "Multiply the four, then add `model.conv2.bias`. Check yourself: `conv1` has 20 · 1 · 5 · 5 + 20 = 520.",
    ),
)


def kind(value: object) -> str:
    """Name the type of a result as a learner reads it: "number" for Python's own, otherwise the class's name."""
    return "number" if isinstance(value, (int, float)) else type(value).__name__


def small_problems(seed: int) -> list[tuple]:
    """Return the arguments (inputs, targets, setting) of each case of a 3-class problem.

    Ordinary, a single example, one feature and momentum, a large batch and another loss, dropout, gradients of
    an earlier batch; a steep place, a loss near 0.
    """
    draw = torch.Generator().manual_seed(seed)
    sizes = ((8, 4), (1, 4), (5, 1), (64, 3), (16, 6), (8, 3))
    settings = ({}, {}, {"momentum": 0.9}, {"label_smoothing": 0.3}, {"dropout": 0.5}, {"gradients left": 1.0})
    cases = [
        (torch.randn(n, features, generator=draw), torch.randint(0, 3, (n,), generator=draw), setting)
        for (n, features), setting in zip(sizes, settings, strict=True)
    ]
    return [
        *cases,
        (torch.tensor([[5.0, 5.0]]), torch.tensor([0]), {}),
        (torch.tensor([[3.0, 3.0]]), torch.tensor([2]), {}),
    ]


class Watched(nn.Module):
    """A linear layer behind dropout, with fixed weights, that counts how often data pass through."""

    def __init__(self, features: int, *, dropout: float) -> None:
        super().__init__()
        self.dropout, self.linear, self.passes = nn.Dropout(dropout), nn.Linear(features, 3), 0
        with torch.no_grad():
            self.linear.weight.copy_(torch.linspace(-1, 1, 3 * features).view(3, features))
            self.linear.bias.zero_()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Count the pass, and run the layers."""
        self.passes += 1
        return self.linear(self.dropout(x))


def three_steps(answer: Callable, inputs: torch.Tensor, targets: torch.Tensor, setting: dict) -> dict:
    """Drive a training step three times on one fixed small model: what it returned and where the weights went."""
    model = Watched(inputs.shape[1], dropout=setting.get("dropout", 0.0))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5, momentum=setting.get("momentum", 0.0))
    loss_fn = nn.CrossEntropyLoss(label_smoothing=setting.get("label_smoothing", 0.0))
    if "gradients left" in setting:
        for parameter in model.parameters():
            parameter.grad = torch.full_like(parameter, setting["gradients left"])
    losses = [answer(model, optimizer, loss_fn, inputs, targets) for _ in range(3)]
    return {
        "the losses returned": dict(zip(("in step 1", "in step 2", "in step 3"), losses, strict=True)),
        "a loss still tied to its graph": any(torch.is_tensor(loss) and loss.requires_grad for loss in losses),
        "the type of a loss": type(losses[0]).__name__,
        "the weight after three steps": model.linear.weight.detach(),
        "the bias after three steps": model.linear.bias.detach(),
        "passes through the model in three steps": model.passes,
    }


def train_step(model, optimizer, loss_fn, inputs, targets):
    """Five steps in the order that works; the loss as a plain number."""
    logits = model(inputs)
    loss = loss_fn(logits, targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def never_cleared(model, optimizer, loss_fn, inputs, targets):
    """The gradients of earlier steps are still there: `backward()` adds to them. Clear them before it, with
    `optimizer.zero_grad()`."""
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.step()
    return loss.item()


def cleared_too_late(model, optimizer, loss_fn, inputs, targets):
    """You cleared the gradients between `backward()` and `step()`: the step then has nothing to follow, and the
    weights never move."""
    loss = loss_fn(model(inputs), targets)
    loss.backward()
    optimizer.zero_grad()
    optimizer.step()
    return loss.item()


def stepped_too_early(model, optimizer, loss_fn, inputs, targets):
    """You stepped before `backward()`: each step uses the gradient that an earlier batch left, and the first of a
    run has none at all."""
    loss = loss_fn(model(inputs), targets)
    optimizer.step()
    optimizer.zero_grad()
    loss.backward()
    return loss.item()


def kept_the_graph(model, optimizer, loss_fn, inputs, targets):
    """The step is right, but you returned the loss tensor, and with it the whole graph of this batch. Kept in a
    list for an epoch, that fills the memory: return `loss.item()`."""
    loss = loss_fn(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def looked_again(model, optimizer, loss_fn, inputs, targets):
    """You returned the loss *after* the step, from a second pass through the model. The one that was
    differentiated is already there, and costs nothing."""
    loss = loss_fn(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss_fn(model(inputs), targets).item()


train_step = Exercise(
    train_step,
    inputs=small_problems,
    mistakes=(never_cleared, cleared_too_late, stepped_too_early, kept_the_graph, looked_again),
    hints=(
        "Forward, loss, clear, backward, step: five lines, all of them in the cell above.",
        "Which of the five must stand directly before which? `backward()` adds, `step()` reads `.grad`.",
        "Return a number, not a tensor: `.item()`.",
    ),
    probe=three_steps,
    rtol=1e-4,
    atol=1e-5,
)


def batch_means(seed: int) -> list[tuple]:
    """Return the arguments (values, sizes) of each case.

    Means over batches of unequal size; a single batch, equal sizes, a last batch of one, a short one in the
    middle, large ones, float64.
    """
    draw = torch.Generator().manual_seed(seed)
    sizes = ([64, 64, 16], [10], [32, 32, 32], [128, 128, 128, 1], [1, 2, 3, 4, 5])
    cases = [(torch.rand(len(some), generator=draw) + 0.5, torch.tensor(some)) for some in sizes]
    return [
        *cases,
        (torch.tensor([0.5, 2.0, 1.0]), torch.tensor([64, 4, 64])),
        (torch.tensor([0.5, 2.0]), torch.tensor([1000, 256])),
        (torch.tensor([1.5, 0.5]), torch.tensor([60_001, 20_000])),
        (torch.rand(3, generator=draw).double(), torch.tensor([7, 7, 2])),
    ]


def mean_and_type(answer: Callable, values: torch.Tensor, sizes: torch.Tensor) -> dict:
    """Return the mean, and whether it is a tensor."""
    mean = answer(values, sizes)
    return {"the type": type(mean).__name__, "the mean": mean}


def weighted_mean(values, sizes):
    """Each batch's mean counts as often as the batch has examples."""
    return (values * sizes).sum() / sizes.sum()


def mean_of_means(values, sizes):
    """A plain mean of the batch means: a last batch of 16 then counts as much as one of 64."""
    return values.mean()


def divided_by_batches(values, sizes):
    """You weighted each batch by its size, but divided by the number of batches. Divide by the number of
    examples."""
    return (values * sizes).sum() / len(sizes)


def never_divided(values, sizes):
    """That is the sum over all examples. A mean still has to be divided by how many there are."""
    return (values * sizes).sum()


def last_batch_dropped(values, sizes):
    """You left out the last batch. A short batch counts less, but it counts."""
    values, sizes = values[:-1], sizes[:-1]
    return (values * sizes).sum() / sizes.sum()


weighted_mean = Exercise(
    weighted_mean,
    inputs=batch_means,
    mistakes=(mean_of_means, divided_by_batches, never_divided, last_batch_dropped),
    hints=(
        "A batch's mean times its size gives back the batch's sum.",
        "Add up those sums, then divide once, by the number of all examples.",
    ),
    probe=mean_and_type,
)


def places_in_a_run(seed: int) -> list[tuple]:
    """Return the arguments (step, total_steps, max_lr) of each case.

    The first step, the last, the middle, and others; odd runs, one at two rates.
    """
    draw = torch.Generator().manual_seed(seed)
    totals = torch.randint(2, 50, (4,), generator=draw).mul(2).tolist()
    rates = (torch.rand(4, generator=draw) + 0.01).tolist()
    return [
        (1, totals[0], rates[0]),
        (0, totals[1], rates[1]),
        (totals[2], totals[2], rates[2]),
        (totals[3] // 2, totals[3], rates[3]),
        (3, 4, 1.0),
        (3, 4, 0.05),
        (5, 5, 0.3),
        (2, 7, 0.3),
    ]


def rate_and_kind(answer: Callable, step: int, total_steps: int, max_lr: float) -> dict:
    """Return the rate, and whether it is a number."""
    rate = answer(step, total_steps, max_lr)
    return {"the rate": rate, "what it is": kind(rate)}


def cosine_lr(step, total_steps, max_lr):
    """Half a cosine wave: from max_lr at the start, through half of it in the middle, to 0 at the end."""
    return max_lr * (1 + math.cos(math.pi * step / total_steps)) / 2


def never_halved(step, total_steps, max_lr):
    """It starts at twice `max_lr`: 1 + cos runs from 2 down to 0, so halve it."""
    return max_lr * (1 + math.cos(math.pi * step / total_steps))


def quarter_wave(step, total_steps, max_lr):
    """cos from 0 to π/2 also falls from 1 to 0, but it starts flat and ends steep. The schedule needs the half
    wave from 0 to π, lifted and halved, which is flat at both ends."""
    return max_lr * math.cos(math.pi / 2 * step / total_steps)


def whole_wave(step, total_steps, max_lr):
    """You ran through a whole wave (2π): the rate comes back up to `max_lr` at the end. Half a wave is π."""
    return max_lr * (1 + math.cos(2 * math.pi * step / total_steps)) / 2


def upside_down(step, total_steps, max_lr):
    """It climbs from 0 to `max_lr`: 1 − cos instead of 1 + cos."""
    return max_lr * (1 - math.cos(math.pi * step / total_steps)) / 2


def straight_line(step, total_steps, max_lr):
    """That is a straight line from `max_lr` to 0. Right at both ends and in the middle; the cosine is flatter at
    the ends and steeper between."""
    return max_lr * (1 - step / total_steps)


cosine_lr = Exercise(
    cosine_lr,
    inputs=places_in_a_run,
    mistakes=(never_halved, quarter_wave, whole_wave, upside_down, straight_line),
    hints=(
        "cos(0) = 1 and cos(π) = −1. What do you add, and what do you divide by, to get 1 and 0?",
        "The angle is π times the share of the run that is done: `math.pi * step / total_steps`.",
    ),
    probe=rate_and_kind,
)


def averages_under_way(seed: int) -> list[tuple]:
    """Return the arguments (average, value, step, decay, tau) of each case.

    Early, late, a scalar, an average that has arrived; step 0, the same shape again, both equal, five times
    tau, columns in memory, float64.
    """
    draw = torch.Generator().manual_seed(seed)
    shapes = ((3,), (2, 3), (), (1, 4))
    steps = (1, 2000, 37, 100_000)

    def pair(*shape):
        return torch.randn(shape, generator=draw), torch.randn(shape, generator=draw)

    cases = [
        (*pair(*shape), step, decay, tau)
        for shape, step, decay, tau in zip(
            shapes, steps, (0.9, 0.999, 0.5, 0.99), (10.0, 2000.0, 50.0, 2000.0), strict=True
        )
    ]
    same = torch.randn(5, generator=draw)
    return [
        *cases,
        (*pair(5), 0, 0.9, 10.0),
        (same, same.clone(), 7, 0.9, 10.0),
        (torch.tensor([5.0, -5.0]), torch.tensor([-5.0, 5.0]), 50, 0.9, 10.0),
        (*(tensor.T for tensor in pair(2, 3)), 7, 0.9, 10.0),
        (*(tensor.double() for tensor in pair(2, 3)), 7, 0.9, 10.0),
    ]


def average_and_memory(
    answer: Callable, average: torch.Tensor, value: torch.Tensor, step: int, decay: float, tau: float
) -> dict:
    """Return the new average, and which of the tensors that came in hold it."""
    new = answer(average, value, step, decay, tau)
    given = {"average": average, "value": value}
    held = [name for name, tensor in given.items() if torch.is_tensor(new) and new.data_ptr() == tensor.data_ptr()]
    return {"the average": new, "shares memory with": " and ".join(held) or "none"}


def ema_update(average, value, step, decay, tau):
    """The old average keeps a share that itself grows from 0 to `decay` as the steps go by."""
    keep = decay * (1 - math.exp(-step / tau))
    return keep * average + (1 - keep) * value


def shares_swapped(average, value, step, decay, tau):
    """The shares are swapped: `keep` belongs to the old average and 1 − keep to the new value."""
    keep = decay * (1 - math.exp(-step / tau))
    return (1 - keep) * average + keep * value


def no_warm_up(average, value, step, decay, tau):
    """You kept a share of `decay` from the first step on. The average then remembers the random start for
    hundreds of steps: that is what 1 − exp(−step / tau) is there to prevent."""
    return decay * average + (1 - decay) * value


def warm_up_reversed(average, value, step, decay, tau):
    """exp(−step / tau) falls from 1 to 0: you keep most at the start and nothing at the end. One minus it."""
    keep = decay * math.exp(-step / tau)
    return keep * average + (1 - keep) * value


def new_value_whole(average, value, step, decay, tau):
    """The new value is added whole, so the average grows without end. The two shares must add up to 1."""
    keep = decay * (1 - math.exp(-step / tau))
    return keep * average + value


ema_update = Exercise(
    ema_update,
    inputs=averages_under_way,
    mistakes=(shares_swapped, no_warm_up, warm_up_reversed, new_value_whole),
    hints=(
        "First compute how much of the old average to keep: `decay * (1 - math.exp(-step / tau))`.",
        "Two shares that add up to 1: keep for the average, the rest for the new value.",
    ),
    probe=average_and_memory,
)
