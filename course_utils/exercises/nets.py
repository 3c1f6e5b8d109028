"""Questions of chapter 04: a chain of layers, a picture's size, a start, a loss, an optimizer's step."""

import math
from collections.abc import Callable
from itertools import pairwise

import torch
import torch.nn.functional as F
from torch import nn
from torch.overrides import TorchFunctionMode

from course_utils.checks.exercise import Exercise


def kind(value: object) -> str:
    """Name the type of a result as a learner reads it: "number" for Python's own, otherwise the class's name."""
    return "number" if isinstance(value, (int, float)) else type(value).__name__


def chains(seed: int) -> list[tuple]:
    """Return the arguments (sizes, x) of each case.

    Three layers of one size, one, unequal sizes, a batch of one, many narrow ones, large numbers.
    """
    draw = torch.Generator().manual_seed(seed)
    all_sizes = ([4, 4, 4, 4], [3, 2], [5, 7, 6, 2], [2, 8, 1], [3] * 6)
    batches = (6, 5, 3, 1, 4)
    cases = [
        (sizes, torch.randn(batch, sizes[0], generator=draw))
        for sizes, batch in zip(all_sizes, batches, strict=True)
    ]
    return [*cases, ([3, 4, 2], torch.cat([100 * torch.eye(3), -100 * torch.eye(3)]))]


def built_and_filled(answer: Callable, sizes: list[int], x: torch.Tensor) -> dict:
    """Build the net, give its parameters fixed values in turn, run it, and ask for gradients."""
    model = answer(sizes)
    shapes = [tuple(parameter.shape) for parameter in model.parameters()]
    with torch.no_grad():
        for number, parameter in enumerate(model.parameters()):
            wave = torch.sin(1.7 * torch.arange(parameter.numel()) + number)
            parameter.copy_(wave.view_as(parameter))
    output = model(x) if shapes else None
    if torch.is_tensor(output) and output.requires_grad:
        output.sum().backward()
    return {
        "the shapes of its parameters": shapes,
        "its output": output,
        "the parameters that get a gradient": [parameter.grad is not None for parameter in model.parameters()],
    }


class MLP(nn.Module):
    """Linear layers with ReLU between them, none after the last; a ModuleList, so that they are found."""

    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(size_in, size_out) for size_in, size_out in pairwise(sizes)])

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = F.relu(layer(x))
        return self.layers[-1](x)


class KeptInAList(nn.Module):
    """Your net's `parameters()` are empty, so an optimizer would train nothing. It finds the layers in an
    `nn.ModuleList` that `__init__` assigns to `self`; none in a plain list or in a list of the class, and
    a buffer is not a parameter."""

    def __init__(self, sizes):
        super().__init__()
        self.layers = [nn.Linear(*pair) for pair in pairwise(sizes)]

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = F.relu(layer(x))
        return self.layers[-1](x)


class ReluAtTheEnd(nn.Module):
    """You put a ReLU after the last layer too: the output can never be negative. A logit, and most targets, must
    be free to be."""

    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(*pair) for pair in pairwise(sizes)])

    def forward(self, x):
        for layer in self.layers:
            x = F.relu(layer(x))
        return x


class NoReluAtAll(nn.Module):
    """There is no ReLU between your layers. A chain of linear layers is one linear layer, however long it is."""

    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(*pair) for pair in pairwise(sizes)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class OneLayerManyTimes(nn.Module):
    """You built one layer and used it several times: `[layer] * n` is n names for one layer. Build a new one in
    each lap."""

    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(sizes[0], sizes[1])] * (len(sizes) - 1))

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = F.relu(layer(x))
        return self.layers[-1](x)


class OneLayerShort(nn.Module):
    """One layer is missing: n sizes make n − 1 layers, one for each pair of neighbours."""

    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(*pair) for pair in list(pairwise(sizes))[:-1]])

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = F.relu(layer(x))
        return self.layers[-1](x)


MLP = Exercise(
    MLP,
    inputs=chains,
    mistakes=(KeptInAList, ReluAtTheEnd, NoReluAtAll, OneLayerManyTimes, OneLayerShort),
    hints=(
        "`__init__` begins with `super().__init__()`, as in `LeNet`: without it there is nowhere to put a layer.",
        "`pairwise(sizes)` runs over the pairs of neighbours; each pair makes one `nn.Linear`.",
        "Keep the layers in an `nn.ModuleList`; in `forward`, `self.layers[:-1]` are all but the last.",
    ),
    probe=built_and_filled,
    rtol=1e-4,
    atol=1e-5,
)


def windows(seed: int) -> list[tuple]:
    """Return the arguments (size, kernel, stride, padding) of each case.

    No remainder, with one, padded, a window as large as the picture or larger, strides larger than the window.
    """
    draw = torch.Generator().manual_seed(seed)
    size, kernel, stride, padding = (
        int(torch.randint(low, high, (), generator=draw)) for low, high in ((40, 90), (3, 8), (2, 5), (1, 4))
    )
    return [
        (32, 5, 1, 0),
        (28, 2, 2, 0),
        (8, 3, 2, 1),
        (5, 5, 1, 0),
        (224, 7, 2, 3),
        (2, 3, 1, 1),
        (32, 3, 1, 2),
        (10, 1, 3, 0),
        (11, 3, 3, 0),
        (13, 3, 4, 0),
        (size, kernel, stride, padding),
    ]


def places_and_type(answer: Callable, *arguments: object) -> dict:
    """Return the number of places, and whether it is an int."""
    places = answer(*arguments)
    return {"the number of places": places, "its type": type(places).__name__}


def conv_size(size, kernel, stride, padding):
    """One place for the first window, and one more for each whole stride that is left."""
    return (size + 2 * padding - kernel) // stride + 1


def true_division(size, kernel, stride, padding):
    """`/` gives a fraction, and there is no third of a pixel. A window that does not fit any more is left out:
    `//`."""
    return (size + 2 * padding - kernel) / stride + 1


def rounded_up(size, kernel, stride, padding):
    """You rounded up. A last window that would hang over the edge is left out, so round down."""
    return math.ceil((size + 2 * padding - kernel) / stride) + 1


def padded_once(size, kernel, stride, padding):
    """You padded one side only. `padding=1` adds a pixel on the left *and* one on the right."""
    return (size + padding - kernel) // stride + 1


def never_padded(size, kernel, stride, padding):
    """You left `padding` out: it widens the picture on both sides before the window starts to move."""
    return (size - kernel) // stride + 1


def one_too_few(size, kernel, stride, padding):
    """You counted the moves of the window. It stands at one place before the first move: add 1."""
    return (size + 2 * padding - kernel) // stride


def divided_only(size, kernel, stride, padding):
    """You divided the size by the stride. The window has a size of its own: it fits into 32 pixels only 28 times if
    it is 5 wide."""
    return size // stride


conv_size = Exercise(
    conv_size,
    inputs=windows,
    mistakes=(true_division, rounded_up, padded_once, never_padded, one_too_few, divided_only),
    hints=(
        "Begin with stride 1 and no padding: 32 pixels, a window of 5. In how many places can it start?",
        "The first window starts at 0, the last one at size − kernel: that is one place more than there are moves.",
        "Padding makes the picture wider by twice its value; a stride of 2 takes every second place: `//`.",
    ),
    probe=places_and_type,
)


def weight_shapes(seed: int) -> list[tuple]:
    """Return the arguments (shape,) of each case, the shape of a weight.

    Linear, convolution, one picture channel, 1×1 kernels, kernels that are not square, the channels of another
    with a smaller kernel, two inputs only.
    """
    draw = torch.Generator().manual_seed(seed)
    wide, narrow = (int(n) for n in torch.randint(20, 400, (2,), generator=draw))
    return [
        ((84, 120),),
        ((16, 6, 5, 5),),
        ((6, 1, 5, 5),),
        ((wide, narrow + 400),),
        ((8, narrow, 1, 1),),
        ((10, 4, 3, 7),),
        ((16, 6, 3, 3),),
        ((7, 2),),
    ]


def bound_and_kind(answer: Callable, shape: tuple[int, ...]) -> dict:
    """Return the bound, and whether it is a number."""
    bound = answer(shape)
    return {"the bound": bound, "what it is": kind(bound)}


def kaiming_bound(shape):
    """The variance 2 / fan_in as a uniform distribution: a² / 3 = 2 / fan_in."""
    fan_in = math.prod(shape[1:])
    return math.sqrt(6 / fan_in)


def from_the_outputs(shape):
    """You counted the outputs. A weight is (out, in, …): each output is a sum over everything *after* the first
    axis."""
    return math.sqrt(6 / (shape[0] * math.prod(shape[2:])))


def kernel_forgotten(shape):
    """Right for a linear layer. In a convolution each output adds up the *window* too: 6 channels of 5 × 5 are 150
    inputs, not 6."""
    return math.sqrt(6 / shape[1])


def standard_deviation(shape):
    """That is the standard deviation. A uniform distribution that reaches from −a to a has a² / 3 as its variance:
    its bound is √3 times larger."""
    return math.sqrt(2 / math.prod(shape[1:]))


def xaviers(shape):
    """That is Xavier's bound, for layers without ReLU. Kaiming's counts the inputs only, and doubles the
    variance."""
    field = math.prod(shape[2:])
    return math.sqrt(6 / (shape[0] * field + shape[1] * field))


def not_doubled(shape):
    """That keeps the variance at 1 / fan_in, right without ReLU. ReLU throws half of it away, so you need twice as
    much."""
    return math.sqrt(3 / math.prod(shape[1:]))


kaiming_bound = Exercise(
    kaiming_bound,
    inputs=weight_shapes,
    mistakes=(from_the_outputs, kernel_forgotten, standard_deviation, xaviers, not_doubled),
    hints=(
        "How many products are added up for *one* output of a weight of shape (out, in, …)? That is fan_in.",
        "For a convolution it is in · height · width: `math.prod(shape[1:])` is right for both kinds.",
        "The variance wanted is 2 / fan_in; a uniform distribution on [−a, a] has a² / 3. Solve for a.",
    ),
    probe=bound_and_kind,
)


def scored_batches(seed: int) -> list[tuple]:
    """Return the arguments (logits, targets) of each case.

    Ordinary, large and close, huge and wrong, a batch of one, two classes, all equal, columns in memory, wrong
    by 100,000, equal at 1e8, at the limits of float32 and of float64.
    """
    draw = torch.Generator().manual_seed(seed)

    def batch(rows, classes, scale=1.0):
        logits = scale * torch.randn(rows, classes, generator=draw)
        return logits, torch.randint(0, classes, (rows,), generator=draw)

    large = batch(5, 3)
    large[0].add_(200)  # exp(200) is inf in float32
    huge = batch(6, 5, 400.0)
    huge[1].copy_(huge[0].argmin(dim=1))  # every row is wrong with great confidence
    level = torch.zeros(3, 10), torch.tensor([0, 9, 4])
    return [
        batch(8, 10),
        large,
        huge,
        batch(1, 4),
        batch(7, 2),
        level,
        (torch.randn(3, 5, generator=draw).T, torch.tensor([0, 2, 1, 1, 0])),
        (torch.tensor([[0.0, 1e5], [2.0, 1.0]]), torch.tensor([0, 0])),
        (torch.tensor([[1e8, 1e8], [0.0, 1.0]]), torch.tensor([1, 1])),
        (torch.tensor([[3e38, -3e38, 0.0]]), torch.tensor([0])),
        (torch.tensor([[1e300, 0.0, -1e300], [0.0, 1.0, 2.0]], dtype=torch.float64), torch.tensor([0, 1])),
    ]


class Borrowed(TorchFunctionMode):
    """A mode that notices whether a loss of PyTorch's or log_softmax is called, by whichever of their names."""

    seen = False

    def __torch_function__(
        self, function: Callable, types: object, arguments: tuple = (), options: dict | None = None
    ) -> object:
        name = getattr(function, "__name__", "")
        self.seen |= any(part in name for part in ("log_softmax", "loss", "cross_entropy", "kl_div"))
        return function(*arguments, **(options or {}))


def with_its_gradient(answer: Callable, logits: torch.Tensor, targets: torch.Tensor) -> dict:
    """Return the loss, the gradient that flows back to the logits, and whether it was made without PyTorch's."""
    given = logits.clone().requires_grad_()
    with Borrowed() as borrowed:
        loss = answer(given, targets)
    gradient = "none: the loss is not tied to the logits"
    if torch.is_tensor(loss) and loss.requires_grad and loss.dim() == 0:
        (gradient,) = torch.autograd.grad(loss, given)
    return {
        "the loss": loss.detach() if torch.is_tensor(loss) else loss,
        "its gradient": gradient,
        "made without PyTorch's losses and log_softmax": not borrowed.seen,
        "the logits afterwards": given.detach(),
    }


def cross_entropy(logits, targets):
    """log(sum of exp) minus the logit of the right class, averaged; first the largest logit of a row becomes 0."""
    gaps = logits - logits.amax(dim=1, keepdim=True)
    chosen = gaps.gather(1, targets[:, None])[:, 0]
    return (gaps.logsumexp(dim=1) - chosen).mean()


def never_shifted(logits, targets):
    """`logsumexp` never overflows, so that is right for logits of some thousands. But at 1e8 float32 knows no
    fractions: the log of the sum is rounded, and a loss of 0.69 becomes 0. Subtract each row's largest logit first:
    the loss stays the same."""
    chosen = logits.gather(1, targets[:, None])[:, 0]
    return (logits.logsumexp(dim=1) - chosen).mean()


def borrowed_from_torch(logits, targets):
    """Right, but `log_softmax` or one of PyTorch's losses did the work. Write it with `exp`, `log`, `logsumexp`,
    sums and differences."""
    return F.cross_entropy(logits, targets)


def log_of_softmax(logits, targets):
    """Right on paper. With large logits softmax rounds a small probability to 0, and its log is −inf. Stay with
    logarithms: `logsumexp`."""
    chosen = logits.softmax(dim=1).gather(1, targets[:, None])[:, 0]
    return -chosen.log().mean()


def exponentials_by_hand(logits, targets):
    """Right on paper. exp(100) is already inf in float32, and inf / inf is nan. `logsumexp` subtracts the largest
    logit first."""
    exponentials = logits.exp()
    chosen = (exponentials / exponentials.sum(dim=1, keepdim=True)).gather(1, targets[:, None])[:, 0]
    return -chosen.log().mean()


def softmax_twice(logits, targets):
    """You took a softmax first, and then the cross-entropy took it again. It wants the logits as they are."""
    probabilities = logits.softmax(dim=1)
    chosen = probabilities.gather(1, targets[:, None])[:, 0]
    return (probabilities.logsumexp(dim=1) - chosen).mean()


def along_the_batch(logits, targets):
    """Your sum of exponentials runs over dim 0, the batch. The classes of one picture compete with each other: dim
    1."""
    chosen = logits.gather(1, targets[:, None])[:, 0]
    return logits.logsumexp(dim=0).mean() - chosen.mean()


def never_averaged(logits, targets):
    """You summed over the batch: twice the batch, twice the loss, and twice the step. Take the mean."""
    gaps = logits - logits.amax(dim=1, keepdim=True)
    chosen = gaps.gather(1, targets[:, None])[:, 0]
    return (gaps.logsumexp(dim=1) - chosen).sum()


def one_per_picture(logits, targets):
    """One loss per picture, shape (N,). `backward()` needs a single number: take the mean."""
    gaps = logits - logits.amax(dim=1, keepdim=True)
    chosen = gaps.gather(1, targets[:, None])[:, 0]
    return gaps.logsumexp(dim=1) - chosen


def sign_lost(logits, targets):
    """The sign is wrong: that is the mean *log-probability*, which training should raise. A loss is what it should
    lower."""
    gaps = logits - logits.amax(dim=1, keepdim=True)
    chosen = gaps.gather(1, targets[:, None])[:, 0]
    return (chosen - gaps.logsumexp(dim=1)).mean()


cross_entropy = Exercise(
    cross_entropy,
    inputs=scored_batches,
    mistakes=(
        never_shifted,
        borrowed_from_torch,
        log_of_softmax,
        exponentials_by_hand,
        softmax_twice,
        along_the_batch,
        never_averaged,
        one_per_picture,
        sign_lost,
    ),
    hints=(
        "log(eᵃ / sum) = a − log(sum): which two terms does −log p have?",
        "`logsumexp(dim=1)` is the log of the sum of exponentials, without overflow. To keep the digits of huge "
        "logits, subtract each row's largest from the row first: softmax does not change.",
        "The logit of the right class: `logits.gather(1, targets[:, None])[:, 0]`, or `logits[range, targets]`.",
    ),
    probe=with_its_gradient,
    rtol=1e-4,
    atol=1e-5,
)


def states_under_way(seed: int) -> list[tuple]:
    """Return the arguments (parameter, grad, average, lr, alpha, eps) of each case.

    The first step, later ones, gradients of zero, one number, one shape twice, an average that stays, columns
    in memory, float64.
    """
    draw = torch.Generator().manual_seed(seed)

    def state(shape, *, first=False):
        parameter, grad = (torch.randn(shape, generator=draw) for _ in range(2))
        average = torch.zeros(shape) if first else torch.rand(shape, generator=draw)
        return parameter, grad, average

    still = state((3,))
    return [
        (*state((4,)), 0.1, 0.9, 1e-8),
        (*state((2, 3), first=True), 0.01, 0.99, 1e-8),
        (still[0], torch.zeros(3), still[2], 0.5, 0.8, 1e-8),
        (*state((5,)), 0.3, 0.5, 0.1),
        (*state(()), 1.0, 0.99, 1e-3),
        (*state((4,)), 0.2, 0.9, 1e-8),
        (*state((3,)), 0.1, 1.0, 0.1),
        (*(tensor.T for tensor in state((2, 3))), 0.1, 0.9, 1e-3),
        (*(tensor.double() for tensor in state((3, 2))), 0.1, 0.9, 1e-3),
    ]


def pair_and_memory(
    answer: Callable,
    parameter: torch.Tensor,
    grad: torch.Tensor,
    average: torch.Tensor,
    lr: float,
    alpha: float,
    eps: float,
) -> dict:
    """Return the pair, and which of the tensors that came in hold one of its two."""
    pair = answer(parameter, grad, average, lr, alpha, eps)
    made = (
        [tensor.data_ptr() for tensor in pair if torch.is_tensor(tensor)] if isinstance(pair, (tuple, list)) else []
    )
    given = {"parameter": parameter, "grad": grad, "average": average}
    held = [name for name, tensor in given.items() if tensor.data_ptr() in made]
    return {"the pair": pair, "shares memory with": " and ".join(held) or "none"}


def rmsprop_step(parameter, grad, average, lr, alpha, eps):
    """A running average of the squared gradient first; then the step, divided by its root."""
    average = alpha * average + (1 - alpha) * grad**2
    return parameter - lr * grad / (average.sqrt() + eps), average


def shares_swapped(parameter, grad, average, lr, alpha, eps):
    """The shares are swapped: alpha is what the old average keeps, 1 − alpha what the new square brings."""
    average = (1 - alpha) * average + alpha * grad**2
    return parameter - lr * grad / (average.sqrt() + eps), average


def never_squared(parameter, grad, average, lr, alpha, eps):
    """You averaged the gradients themselves. Their signs cancel: what counts is their size, so average the
    squares."""
    average = alpha * average + (1 - alpha) * grad
    return parameter - lr * grad / (average.sqrt() + eps), average


def root_forgotten(parameter, grad, average, lr, alpha, eps):
    """You divided by the mean square. Take its root: then a gradient 10 times as large makes the same step."""
    average = alpha * average + (1 - alpha) * grad**2
    return parameter - lr * grad / (average + eps), average


def eps_under_the_root(parameter, grad, average, lr, alpha, eps):
    """Your eps is under the root. Some libraries do that; PyTorch adds it *after* the root, and for eps = 0.1 the
    two differ."""
    average = alpha * average + (1 - alpha) * grad**2
    return parameter - lr * grad / (average + eps).sqrt(), average


def old_average(parameter, grad, average, lr, alpha, eps):
    """You divided by the average of the step before. On the first step that is 0, and the step is enormous: update
    the average first."""
    new = alpha * average + (1 - alpha) * grad**2
    return parameter - lr * grad / (average.sqrt() + eps), new


def uphill(parameter, grad, average, lr, alpha, eps):
    """You added the step. The gradient points uphill: subtract."""
    average = alpha * average + (1 - alpha) * grad**2
    return parameter + lr * grad / (average.sqrt() + eps), average


rmsprop_step = Exercise(
    rmsprop_step,
    inputs=states_under_way,
    mistakes=(
        shares_swapped,
        never_squared,
        root_forgotten,
        eps_under_the_root,
        old_average,
        uphill,
    ),
    hints=(
        "Look at `OurAdam`: RMSprop is its second half. No momentum, and no correction for the start.",
        "First the average, `alpha * average + (1 - alpha) * grad**2`, as a new tensor.",
        "Then the step: `lr * grad` divided by (root of the *new* average, plus eps).",
    ),
    probe=pair_and_memory,
)
