"""What chapter 04 asks: an MLP, a loss to fix, the size of a convolution's output, cross-entropy, attention.

The inputs of each question, and how an answer is driven. A submission that is graded sees this file.
"""

from collections.abc import Callable

import torch
from torch.overrides import TorchFunctionMode

from lessonkit.checks.question import Question


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
    """Build two models, write fixed values into the first one's parameters, run it, and compute gradients.

    It runs once more afterwards, in evaluation mode. The second model must have parameters of its own.
    """
    given, spare = x.clone(), list(sizes)
    model, other = answer(sizes), answer(spare)
    shapes = [tuple(parameter.shape) for parameter in model.parameters()]
    with torch.no_grad():
        for number, parameter in enumerate(model.parameters()):
            wave = torch.sin(1.7 * torch.arange(parameter.numel()) + number)
            parameter.copy_(wave.view_as(parameter))
    output = model(x) if shapes else None
    unchanged = torch.equal(x, given)  # a changed x has its own verdict
    if torch.is_tensor(output) and output.requires_grad and unchanged:
        output.sum().backward()
    mine = {id(parameter) for parameter in model.parameters()}
    again = model.eval()(x) if shapes else None
    return {
        "the shapes of its parameters": shapes,
        "its output, with weights set in the order of `parameters()`": output,
        "the parameters that get a gradient": [parameter.grad is not None for parameter in model.parameters()],
        "the gradients of its parameters": [parameter.grad for parameter in model.parameters()],
        "its output when it runs again, in evaluation mode": again,
        "how many of its parameters a second MLP shares": sum(id(each) in mine for each in other.parameters()),
    }


MLP = Question(
    "MLP",
    inputs=chains,
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


def positions_and_type(answer: Callable, size: int, kernel: int, stride: int, padding: int) -> dict:
    """Return the number of positions, and its type."""
    positions = answer(size, kernel, stride, padding)
    return {"the number of positions": positions, "its type": type(positions).__name__}


conv_size = Question(
    "conv_size",
    inputs=windows,
    probe=positions_and_type,
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
    gradient = "none: the loss does not depend on the prediction"
    if torch.is_tensor(loss) and loss.requires_grad and loss.dim() == 0:
        (gradient,) = torch.autograd.grad(loss, given, loss.new_tensor(3), allow_unused=True)
    if prediction.isnan().any():
        gradient = "not compared"
    return {
        "the loss": loss.detach() if torch.is_tensor(loss) else loss,
        "the gradient of 3 times the loss": gradient,
        "the shape of the prediction afterwards": tuple(given.shape),
    }


paired_mse = Question(
    "paired_mse",
    inputs=paired_batches,
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
    """Return the loss, the gradient that flows back to the logits, and whether it was computed without
    PyTorch's."""
    given = logits.clone().requires_grad_()
    with Borrowed("log_softmax", "loss", "cross_entropy", "kl_div") as borrowed:
        loss = answer(given, targets)
    gradient = "none: the loss does not depend on the logits"
    if torch.is_tensor(loss) and loss.requires_grad and loss.dim() == 0:
        (gradient,) = torch.autograd.grad(loss, given, loss.new_tensor(3))
    return {
        "the loss": loss.detach() if torch.is_tensor(loss) else loss,
        "the gradient of 3 times the loss": gradient,
        "computed without PyTorch's loss functions and log_softmax": not borrowed.seen,
        "the logits afterwards": given.detach(),
    }


cross_entropy = Question(
    "cross_entropy",
    inputs=scored_batches,
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
    """Return the result, the gradients that flow back to the three, and whether it was computed without
    PyTorch's."""
    given = {"query": query, "key": key, "value": value}
    given = {name: tensor.detach().requires_grad_() for name, tensor in given.items()}
    with Borrowed("attention") as borrowed:
        result = answer(*given.values(), real)
    gradients = "none: the result does not depend on the arguments"
    if torch.is_tensor(result) and result.requires_grad:
        weights = torch.cos(torch.arange(result.numel())).view(result.shape).to(result.dtype)
        found = torch.autograd.grad(result, list(given.values()), weights, allow_unused=True)
        gradients = {f"the gradient of {name}": grad for name, grad in zip(given, found, strict=True)}
    return {
        "the result": result.detach() if torch.is_tensor(result) else result,
        "its gradients": gradients,
        "computed without PyTorch's attention": not borrowed.seen,
    }


grouped_attention = Question(
    "grouped_attention",
    inputs=queries_and_keys,
    probe=with_all_gradients,
    rtol=1e-4,
    atol=1e-5,
)
