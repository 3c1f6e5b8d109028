"""Questions of chapter 04: a chain of layers, a picture's size, a loss to mend, cross-entropy, attention."""

import math
from collections.abc import Callable
from itertools import pairwise

import torch
import torch.nn.functional as F
from torch import nn
from torch.overrides import TorchFunctionMode

from lessonkit.checks.exercise import Exercise


def chains(seed: int) -> list[tuple]:
    """Return the arguments (sizes, x) of each case.

    Three layers of one size, one, unequal sizes, a batch of one, many narrow ones, a tuple, sizes that come again,
    every second row of a table, large numbers, one active unit and one far below 0, eleven layers, many rows and
    units.
    """
    draw = torch.Generator().manual_seed(seed)
    all_sizes = ([4, 4, 4, 4], [3, 2], [5, 7, 6, 2], [2, 8, 1], [3] * 6, (1, 9, 1), [6, 2, 6, 2, 6, 2])
    batches = (6, 5, 3, 1, 4, 7, 2)
    cases = [
        (sizes, torch.randn(batch, sizes[0], generator=draw))
        for sizes, batch in zip(all_sizes, batches, strict=True)
    ]
    striding = torch.randn(9, 8, generator=draw)[::2, ::2]
    return [
        *cases,
        ([4, 5, 3], striding),
        ([3, 4, 2], torch.cat([100 * torch.eye(3), -100 * torch.eye(3)])),
        ([1, 2, 1], torch.tensor([[-1e10], [-3e10], [-7e10]])),
        ([2] * 12, torch.randn(3, 2, generator=draw)),
        ([3, 300, 2], torch.randn(300, 3, generator=draw)),
    ]


def built_and_filled(answer: Callable, sizes: list[int], x: torch.Tensor) -> dict:
    """Build two nets, give the first one's parameters fixed values in turn, run it, and ask for gradients.

    It runs once more afterwards, in eval mode. The second net must have parameters of its own.
    """
    given, spare = x.clone(), list(sizes)
    model, other = answer(sizes), answer(spare)
    shapes = [tuple(parameter.shape) for parameter in model.parameters()]
    with torch.no_grad():
        for number, parameter in enumerate(model.parameters()):
            wave = torch.sin(1.7 * torch.arange(parameter.numel()) + number)
            parameter.copy_(wave.view_as(parameter))
    output = model(x) if shapes else None
    if torch.is_tensor(output) and output.requires_grad and torch.equal(x, given):  # an altered x is told by itself
        output.sum().backward()
    mine = {id(parameter) for parameter in model.parameters()}
    again = model.eval()(x) if shapes else None
    return {
        "the shapes of its parameters": shapes,
        "its output, with weights set in the order of `parameters()`": output,
        "the parameters that get a gradient": [parameter.grad is not None for parameter in model.parameters()],
        "the gradients of its parameters": [parameter.grad for parameter in model.parameters()],
        "its output when it runs again, in eval mode": again,
        "its parameters that a second MLP has too": sum(id(parameter) in mine for parameter in other.parameters()),
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
    """Your net's `parameters()` are empty, so an optimizer would train nothing. `parameters()` finds the layers in
    an `nn.ModuleList` that `__init__` assigns to `self`; none in a plain list or in a list of the class, and a
    buffer is not a parameter."""

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


class RegisteredBackwards(nn.Module):
    """Your layers are registered from the last to the first, so `parameters()` names the last one's weight first.
    The check fills the parameters in the order in which `parameters()` gives them."""

    def __init__(self, sizes):
        super().__init__()
        pairs = list(pairwise(sizes))[::-1]
        self.layers = nn.ModuleList([nn.Linear(*pair) for pair in pairs])

    def forward(self, x):
        for layer in list(self.layers)[:0:-1]:
            x = F.relu(layer(x))
        return self.layers[0](x)


MLP = Exercise(
    MLP,
    inputs=chains,
    mistakes=(KeptInAList, ReluAtTheEnd, NoReluAtAll, OneLayerManyTimes, OneLayerShort, RegisteredBackwards),
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

    No remainder, with one, padded, a window as large as the picture or larger, strides larger than the window, an
    odd stride with padding, the largest numbers promised, and a dozen drawn ones.
    """
    draw = torch.Generator().manual_seed(seed)

    def drawn():
        kernel, stride, padding = (int(torch.randint(1, most, (), generator=draw)) for most in (9, 8, 12))
        return max(1, kernel - 2 * padding) + int(torch.randint(0, 90, (), generator=draw)), kernel, stride, padding

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
        (8, 3, 3, 1),
        (1, 1, 1, 0),
        (99_999, 3, 7, 2),
        (5, 99_999, 2, 50_000),
        (99_998, 99_999, 99_999, 99_999),
        *((1 + times * stride, 1, stride, 0) for stride in (49, 98, 103, 107, 161) for times in (1, 7)),
        (99_999, 1, 1, 99_999),
        (99_999, 1, 99_998, 99_999),
        (3, 99_999, 99_999, 99_999),
        (70_001, 301, 257, 4_096),
        *(drawn() for _ in range(12)),
    ]


def places_and_type(answer: Callable, size: int, kernel: int, stride: int, padding: int) -> dict:
    """Return the number of places, and whether it is an int."""
    places = answer(size, kernel, stride, padding)
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


def paired_batches(seed: int) -> list[tuple]:
    """Return the arguments (prediction, target) of each case; eighths, so that no order of adding matters.

    The four combinations of shapes, one row in each, other dtypes, far from 0, every second row, many rows,
    perfect predictions, a NaN; then the pairs of shapes to be refused: a row for a column, other lengths, one
    against many, two columns, three axes, no axis.
    """
    draw = torch.Generator().manual_seed(seed)

    def eighths(*shape, dtype=torch.float32):
        return (torch.randint(-40, 41, shape, generator=draw) / 8).to(dtype)

    count = int(torch.randint(4, 9, (), generator=draw))
    column, row = (count, 1), (count,)
    good = [(column, row), (row, row), (column, column), (row, column)]
    good += [((1, 1), (1,)), ((1,), (1,)), ((1,), (1, 1)), ((1, 1), (1, 1))]
    refused = [(column, (1, count)), ((1, count), row), ((1, count), (1, count)), (row, (count - 1,))]
    refused += [
        (column, (1,)),
        ((1,), row),
        ((2, 1), (4,)),
        ((count, 2), (count, 2)),
        ((3, 2), (6,)),
        ((6,), (2, 3)),
    ]
    refused += [((count, 1, 1), row), (row, (count, 1, 1)), ((1, 1), ()), ((), (1,)), ((), ())]
    refused += [
        ((count, 1, 1),) * 2,
        ((1, 1, 1),) * 2,
        ((1,), (1, 1, 1)),
        ((1, count, 1), row),
        ((1, 1), (1, count)),
    ]
    refused += [((1, count), column), (row, (1, count)), (column, (count - 1, 1)), ((count, count),) * 2]
    refused += [(column, (1, 1)), (row, (1, 1)), ((1, 1), column), (row, (count, count)), (column, (count, 2))]
    refused += [((2, 2), (4, 1)), (row, ()), ((), column), ((count, 1, 1, 1), column), ((300, 1), (256,))]
    whole, perfect = torch.randint(0, 100, column, generator=draw), eighths(*column)
    return [
        *[(eighths(*one), eighths(*other)) for one, other in good],
        (eighths(*column), whole[:, 0]),
        (eighths(*row), whole.to(torch.uint8)),
        (eighths(*column), eighths(*row, dtype=torch.float64)),
        (eighths(*row, dtype=torch.float64), eighths(*column)),
        (eighths(*row, dtype=torch.bfloat16), eighths(*row)),
        (eighths(*column) + 2**20, eighths(*row) + 2**20),
        (eighths(*row, dtype=torch.float64) + 2**40, eighths(*column, dtype=torch.float64) + 2**40),
        (eighths(*column, dtype=torch.float64) + 2**40, whole[:, 0] + 2**40),
        (eighths(4, dtype=torch.float16), eighths(4, 1, dtype=torch.float64)),  # a mean of 4 is not rounded
        (eighths(*row), whole.to(torch.int8) - 100),
        (eighths(1500, 1), eighths(1500)),
        (perfect, perfect[:, 0].clone()),
        (torch.tensor([1.0, torch.nan, 2.0]), torch.tensor([[0.0], [1.0], [2.0]])),
        (eighths(count, 3)[:, 1:2], eighths(2 * count)[::2]),
        (eighths(2, count)[:1].T, eighths(count, 4)[:, 3]),
        *[(eighths(*one), eighths(*other)) for one, other in refused],
    ]


def _fits(prediction, target):
    return all(len(t.shape) in (1, 2) and t.shape[1:] in ((), (1,)) for t in (prediction, target)) and len(
        prediction
    ) == len(target)


def loss_or_refusal(answer: Callable, prediction: torch.Tensor, target: torch.Tensor) -> dict:
    """Return the loss and the gradient of the prediction, where both are numbers; for shapes that do not fit,
    whether it was a ValueError."""
    given = prediction.detach().requires_grad_()
    if not _fits(prediction, target):
        shapes = f"prediction {tuple(prediction.shape)}, target {tuple(target.shape)}"
        try:
            answer(given, target)
        except ValueError:
            return {shapes: "raises a ValueError"}
        except Exception as error:  # noqa: BLE001 - whatever an answer raises instead
            return {shapes: f"raises {type(error).__name__}"}
        return {shapes: "raises nothing"}
    loss = answer(given, target)
    gradient = "none: the loss is not tied to the prediction"
    if torch.is_tensor(loss) and loss.requires_grad and loss.dim() == 0:
        (gradient,) = torch.autograd.grad(loss, given, loss.new_tensor(3), allow_unused=True)
    if prediction.isnan().any():
        gradient = "not looked at"
    return {
        "the loss": loss.detach() if torch.is_tensor(loss) else loss,
        "the gradient of 3 times the loss": gradient,
        "the shape of the prediction afterwards": tuple(given.shape),
    }


def paired_mse(prediction, target):
    """Both as (N,), or a ValueError; then the mean of the squared differences in the prediction's dtype."""
    for tensor in (prediction, target):
        if tensor.dim() not in (1, 2) or tensor.shape[1:].numel() != 1:
            raise ValueError(f"expected (N,) or (N, 1), got {tuple(tensor.shape)}")
    if len(prediction) != len(target):
        raise ValueError(f"{len(prediction)} predictions for {len(target)} targets")
    difference = prediction.flatten() - target.flatten().to(prediction.dtype)
    return (difference**2).mean()


def never_mended(prediction, target):
    """A column minus a row is a table: (N, 1) and (N,) are still paired each with each, so the loss of perfect
    predictions is not 0. Bring both to (N,) before you subtract."""
    return ((prediction - target) ** 2).mean()


def only_the_prediction(prediction, target):
    """You bring the prediction to (N,), and leave the target as it is: a target of (N, 1) makes a table again."""
    return ((prediction.flatten() - target) ** 2).mean()


def nothing_refused(prediction, target):
    """Your loss is right wherever the shapes fit. But `flatten`, `view(-1)` and `reshape(-1)` also make six numbers
    of (3, 2): shapes that do not belong together must raise a ValueError, and so must a single number that would
    meet each of N others."""
    return ((prediction.flatten() - target.flatten().to(prediction.dtype)) ** 2).mean()


def only_counted(prediction, target):
    """You compare how many numbers there are. (1, N), (3, 2) and (N, 1, 1) have the right count in the wrong shape:
    look at the axes before you flatten."""
    if prediction.numel() != target.numel():
        raise ValueError("unequal counts")
    return ((prediction.flatten() - target.flatten().to(prediction.dtype)) ** 2).mean()


def targets_dtype(prediction, target):
    """The loss has the dtype of both together: targets of float64, which is what NumPy makes, turn a float32 loss
    into float64. Convert the target to the prediction's dtype."""
    for tensor in (prediction, target):
        if tensor.dim() not in (1, 2) or tensor.shape[1:].numel() != 1:
            raise ValueError("shape")
    if len(prediction) != len(target):
        raise ValueError("length")
    return ((prediction.flatten() - target.flatten()) ** 2).mean()


def summed(prediction, target):
    """You added up the squares. The task asks for their mean: a sum grows with the batch, and so would the step."""
    for tensor in (prediction, target):
        if tensor.dim() not in (1, 2) or tensor.shape[1:].numel() != 1:
            raise ValueError("shape")
    if len(prediction) != len(target):
        raise ValueError("length")
    return ((prediction.flatten() - target.flatten().to(prediction.dtype)) ** 2).sum()


paired_mse = Exercise(
    paired_mse,
    inputs=paired_batches,
    mistakes=(never_mended, only_the_prediction, nothing_refused, only_counted, targets_dtype, summed),
    hints=(
        "Print the shape of `prediction - target` for (4, 1) and (4,): which number of it should not be there?",
        "First say which shapes you take: one axis, or two of which the second has length 1. Everything else, and "
        "two different N, is `raise ValueError(…)`.",
        "Then `flatten()` makes (N,) of both, and `target.to(prediction.dtype)` keeps float64 targets from "
        "changing the loss.",
    ),
    probe=loss_or_refusal,
)


def scored_batches(seed: int) -> list[tuple]:
    """Return the arguments (logits, targets) of each case.

    Ordinary, large and close, huge and wrong, a batch of one, two classes, one class, all equal, columns in memory,
    wrong by 100,000, equal at 1e8, at the limits of float32 and of float64, one row far above the other, many rows
    and classes, every second target, wrong at the limits.
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
        batch(3, 1),
        level,
        (torch.randn(3, 5, generator=draw).T, torch.tensor([0, 2, 1, 1, 0])),
        (torch.tensor([[0.0, 1e5], [2.0, 1.0]]), torch.tensor([0, 0])),
        (torch.tensor([[1e8, 1e8], [0.0, 1.0]]), torch.tensor([1, 1])),
        (torch.tensor([[3e38, -3e38, 0.0]]), torch.tensor([0])),
        (torch.tensor([[1e300, 0.0, -1e300], [0.0, 1.0, 2.0]], dtype=torch.float64), torch.tensor([0, 1])),
        (torch.tensor([[1e6, 1e6 - 1], [-1e6, 1 - 1e6]]), torch.tensor([0, 0])),
        batch(260, 3),
        batch(2, 1200),
        (torch.randn(12, 9, generator=draw)[::3, ::2], torch.tensor([4, 0, 0, 0, 2, 0, 2, 0])[::2]),
        (torch.tensor([[-3e38, 0.0]]), torch.tensor([0])),
        (torch.tensor([[1e300, 0.0], [0.0, 1.0]], dtype=torch.float64), torch.tensor([1, 0])),
        (torch.tensor([[1e12 + 1, 1e12], [0.0, -1e12]], dtype=torch.float64), torch.tensor([1, 0])),
        (torch.tensor([[-3e38] * 4, [-1e5] * 4]), torch.tensor([3, 0])),
        (torch.tensor([[-1e8, 0.1, 1.0], [2.0, 1e8, 1.5]]), torch.tensor([0, 0])),
    ]


class Borrowed(TorchFunctionMode):
    """A mode that notices whether a function of PyTorch's is called whose name has one of `parts` in it."""

    def __init__(self, *parts: str) -> None:
        super().__init__()
        self.parts, self.seen = parts, False

    def __torch_function__(
        self, function: Callable, types: object, arguments: tuple = (), options: dict | None = None
    ) -> object:
        name = getattr(function, "__name__", "")
        self.seen |= any(part in name for part in self.parts)
        return function(*arguments, **(options or {}))


def with_its_gradient(answer: Callable, logits: torch.Tensor, targets: torch.Tensor) -> dict:
    """Return the loss, the gradient that flows back to the logits, and whether it was made without PyTorch's."""
    given = logits.clone().requires_grad_()
    with Borrowed("log_softmax", "loss", "cross_entropy", "kl_div") as borrowed:
        loss = answer(given, targets)
    gradient = "none: the loss is not tied to the logits"
    if torch.is_tensor(loss) and loss.requires_grad and loss.dim() == 0:
        (gradient,) = torch.autograd.grad(loss, given, loss.new_tensor(3))
    return {
        "the loss": loss.detach() if torch.is_tensor(loss) else loss,
        "the gradient of 3 times the loss": gradient,
        "made without PyTorch's losses and log_softmax": not borrowed.seen,
        "the logits afterwards": given.detach(),
    }


def cross_entropy(logits, targets):
    """log(sum of exp) minus the logit of the right class, averaged; first the largest logit of a row becomes 0."""
    gaps = logits - logits.amax(dim=1, keepdim=True)
    chosen = gaps.gather(1, targets[:, None])[:, 0]
    return (gaps.logsumexp(dim=1) - chosen).mean()


def shifted_by_the_right_one(logits, targets):
    """You shifted each row by the logit of its right class. Where that lies far below the others, float32 rounds
    away what tells the others apart, and the gradient with it. Subtract each row's largest logit instead."""
    return (logits - logits.gather(1, targets[:, None])).logsumexp(dim=1).mean()


def never_shifted(logits, targets):
    """`logsumexp` never overflows, so that is right for ordinary logits. But at 1e8 float32 knows no
    fractions: the log of the sum is rounded, and a loss of 0.69 becomes 0. Subtract each row's largest logit first:
    the loss stays the same."""
    chosen = logits.gather(1, targets[:, None])[:, 0]
    return (logits.logsumexp(dim=1) - chosen).mean()


def borrowed_from_torch(logits, targets):
    """Right, but `log_softmax` or one of PyTorch's losses did the work. Write it with `exp`, `log`, `logsumexp`,
    sums and differences."""
    return F.cross_entropy(logits, targets)


def log_of_softmax(logits, targets):
    """Right on paper. Where logits are far apart a probability is rounded to 0, and its log is −inf. Never make the
    probability: subtract each row's largest logit, then stay with logarithms."""
    chosen = logits.softmax(dim=1).gather(1, targets[:, None])[:, 0]
    return -chosen.log().mean()


def exponentials_by_hand(logits, targets):
    """Right on paper. exp(100) is already inf in float32, and inf / inf is nan. Subtract each row's largest logit
    first: no exponential is above 1 then, and the loss is the same."""
    exponentials = logits.exp()
    chosen = (exponentials / exponentials.sum(dim=1, keepdim=True)).gather(1, targets[:, None])[:, 0]
    return -chosen.log().mean()


def eps_in_the_log(logits, targets):
    """A small number, 1e-12, inside the log caps the loss at 27.6, and where it does there is no gradient: a net
    that is sure and wrong learns nothing. Never make the probability, and nothing needs a cap."""
    chosen = logits.softmax(dim=1).gather(1, targets[:, None])[:, 0]
    return -(chosen + 1e-12).log().mean()


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
        shifted_by_the_right_one,
        never_shifted,
        borrowed_from_torch,
        log_of_softmax,
        exponentials_by_hand,
        eps_in_the_log,
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


def queries_and_keys(seed: int) -> list[tuple]:
    """Return the arguments (query, key, value, real) of each case.

    Two groups of two with padding, all of size 1, groups of three and values of another width, one head of keys, an
    entry of padding only, a group for each head, heads taken apart by transposing in float64, a padded key with the
    largest score, a real one below -1e9, padding with an infinite score, the first shapes again with a key of 0,
    many keys in every second row, float64 far from 0.
    """
    draw = torch.Generator().manual_seed(seed)

    def tensors(entries, heads, groups, queries, keys, size, width, *, lengths=None):
        key = torch.randn(entries, groups, keys, size, generator=draw)
        value = torch.randn(entries, groups, keys, width, generator=draw)
        lengths = torch.tensor(lengths or [keys] * entries)
        real = torch.arange(keys) < lengths[:, None]
        return torch.randn(entries, heads, queries, size, generator=draw), key, value, real

    apart = [t.double() for t in tensors(2, 4, 2, 4, 4, 5, 5)[:3]]
    apart = [t.transpose(1, 2).contiguous().transpose(1, 2) for t in apart]
    holes = torch.rand(2, 4, generator=draw) < 0.5
    holes[:, 0], holes[:, 3] = False, True
    outshone, low = tensors(1, 2, 1, 2, 3, 4, 2), tensors(1, 2, 1, 2, 3, 4, 2)
    for (query, key, _, real), scores in ((outshone, (9e5, 40, 1e6)), (low, (-4e10, -2e10, 0))):
        query.copy_(torch.tensor([2.0, 0, 0, 0]).expand_as(query))
        key.zero_()[..., 0] = torch.tensor(scores)
        real[0, 2] = False
    infinite, far = tensors(1, 2, 1, 2, 3, 4, 2), [t.double() for t in tensors(2, 2, 2, 3, 3, 4, 2)[:3]]
    infinite[1][:, :, 1], infinite[3][0, 1] = 3e38, False
    infinite[0].abs_().mul_(3)
    far[0][:] = torch.tensor([2.0, 0, 0, 0])
    far[1][..., 0] = 1e8 + torch.arange(3)
    other = tensors(2, 4, 2, 3, 5, 4, 4, lengths=[2, 4])
    other[1][:, :, 0] = 0
    many = tensors(2, 6, 3, 300, 600, 2, 3, lengths=[600, 7])
    many = [many[0], *(t[:, :, ::2] for t in many[1:3]), many[3][:, ::2]]
    return [
        tensors(2, 4, 2, 3, 5, 4, 4, lengths=[5, 3]),
        tensors(1, 1, 1, 1, 1, 1, 1),
        tensors(2, 6, 2, 2, 3, 8, 3, lengths=[1, 3]),
        tensors(3, 4, 1, 5, 2, 4, 6, lengths=[2, 1, 2]),
        tensors(3, 4, 2, 3, 4, 2, 2, lengths=[4, 0, 2]),
        tensors(2, 3, 3, 4, 4, 5, 5),
        (*apart, holes),
        outshone,
        low,
        infinite,
        other,
        many,
        (*far, torch.tensor([[True, True, True], [True, False, True]])),
    ]


def with_all_gradients(
    answer: Callable, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, real: torch.Tensor
) -> dict:
    """Return the result, the gradients that flow back to the three, and whether it was made without PyTorch's."""
    given = {"query": query, "key": key, "value": value}
    given = {name: tensor.detach().requires_grad_() for name, tensor in given.items()}
    with Borrowed("attention") as borrowed:
        result = answer(*given.values(), real)
    gradients = "none: the result is not tied to what was given"
    if torch.is_tensor(result) and result.requires_grad:
        weights = torch.cos(torch.arange(result.numel())).view(result.shape).to(result.dtype)
        found = torch.autograd.grad(result, list(given.values()), weights, allow_unused=True)
        gradients = {f"the gradient of {name}": grad for name, grad in zip(given, found, strict=True)}
    return {
        "the result": result.detach() if torch.is_tensor(result) else result,
        "its gradients": gradients,
        "made without PyTorch's attention": not borrowed.seen,
    }


def grouped_attention(query, key, value, real):
    """Each head of keys and values for several heads in a row; padding gets -inf before, and 0 after the
    softmax."""
    heads_each = query.shape[1] // key.shape[1]
    key, value = (t.repeat_interleave(heads_each, dim=1) for t in (key, value))
    padding = ~real[:, None, None, :]
    scores = (query @ key.mT / math.sqrt(query.shape[-1])).masked_fill(padding, -torch.inf)
    return scores.softmax(dim=-1).masked_fill(padding, 0) @ value


def heads_in_turn(query, key, value, real):
    """Your query heads take the key heads in turn, 0, 1, 0, 1. Neighbours share one: 0, 0, 1, 1. `repeat` lays
    copies of the whole behind each other, `repeat_interleave` repeats each head in its place."""
    times = query.shape[1] // key.shape[1]
    key, value = (t.repeat(1, times, 1, 1) for t in (key, value))
    padding = ~real[:, None, None, :]
    scores = (query @ key.mT / math.sqrt(query.shape[-1])).masked_fill(padding, -torch.inf)
    return scores.softmax(dim=-1).masked_fill(padding, 0) @ value


def never_divided(query, key, value, real):
    """The scores are not divided by √D, so their standard deviation grows with the length of a query and the
    softmax goes over to a single key."""
    times = query.shape[1] // key.shape[1]
    key, value = (t.repeat_interleave(times, dim=1) for t in (key, value))
    padding = ~real[:, None, None, :]
    scores = (query @ key.mT).masked_fill(padding, -torch.inf)
    return scores.softmax(dim=-1).masked_fill(padding, 0) @ value


def nan_for_padding(query, key, value, real):
    """Right, except for an entry of padding only: all its scores are −inf, its softmax is NaN, and so is its
    output. It should be 0."""
    times = query.shape[1] // key.shape[1]
    key, value = (t.repeat_interleave(times, dim=1) for t in (key, value))
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    return scores.masked_fill(~real[:, None, None, :], -torch.inf).softmax(dim=-1) @ value


def mean_of_padding(query, key, value, real):
    """Right, except for an entry of padding only: its scores are all the same, so its output is the mean of
    padding's values. It should be 0."""
    times = query.shape[1] // key.shape[1]
    key, value = (t.repeat_interleave(times, dim=1) for t in (key, value))
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    lowest = torch.finfo(scores.dtype).min
    return scores.masked_fill(~real[:, None, None, :], lowest).softmax(dim=-1) @ value


def large_negative(query, key, value, real):
    """Padding gets a large negative score such as −1e9 instead of −inf. Where the real scores are lower still,
    padding gets all the weight; and in an entry of padding only all scores are equal, so its output is a mean and
    not 0."""
    times = query.shape[1] // key.shape[1]
    key, value = (t.repeat_interleave(times, dim=1) for t in (key, value))
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    return scores.masked_fill(~real[:, None, None, :], -1e9).softmax(dim=-1) @ value


def zero_as_a_score(query, key, value, real):
    """You set the score of padding to 0. That is a score like any other: e⁰ = 1, and padding keeps its share.
    Nothing is left of a key only if its score is −inf."""
    times = query.shape[1] // key.shape[1]
    key, value = (t.repeat_interleave(times, dim=1) for t in (key, value))
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    return scores.masked_fill(~real[:, None, None, :], 0).softmax(dim=-1) @ value


def after_the_softmax(query, key, value, real):
    """You took padding's weights away after the softmax: those that are left no longer add up to 1. Mask the scores
    before it."""
    times = query.shape[1] // key.shape[1]
    key, value = (t.repeat_interleave(times, dim=1) for t in (key, value))
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    return scores.softmax(dim=-1).masked_fill(~real[:, None, None, :], 0) @ value


def padding_seen(query, key, value, real):
    """Padding takes part as if it were real: `real` changes nothing in your result."""
    times = query.shape[1] // key.shape[1]
    key, value = (t.repeat_interleave(times, dim=1) for t in (key, value))
    return (query @ key.mT / math.sqrt(query.shape[-1])).softmax(dim=-1) @ value


def library_attention(query, key, value, real):
    """Right, but PyTorch's attention did the work. Write it with `@`, a mask and a softmax."""
    mask = real[:, None, None, :]
    times = query.shape[1] // key.shape[1]
    key, value = (t.repeat_interleave(times, dim=1) for t in (key, value))
    seen = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    return torch.where(real.any(dim=1)[:, None, None, None], seen, 0)


grouped_attention = Exercise(
    grouped_attention,
    inputs=queries_and_keys,
    mistakes=(
        heads_in_turn,
        never_divided,
        nan_for_padding,
        mean_of_padding,
        large_negative,
        zero_as_a_score,
        after_the_softmax,
        padding_seen,
        library_attention,
    ),
    hints=(
        "Begin with `attend` from above and H = G. The mask needs the axes (N, 1, 1, S): `real[:, None, None, :]`.",
        "Give each query head a key head of its own: `key.repeat_interleave(H // G, dim=1)`, the values alike.",
        "Fill the scores of padding with −inf before the softmax. Where an entry has no real key that gives NaN: "
        "fill the weights of padding with 0 after it.",
    ),
    probe=with_all_gradients,
    rtol=1e-4,
    atol=1e-5,
)
