"""Our answers to the questions of chapter 04: references, known mistakes and hints.

The docstring of a mistake is what a learner reads who makes it. A submission that is graded never sees this file.
"""

import math
from itertools import pairwise

import torch
import torch.nn.functional as F
from torch import nn

from lessonkit.checks.answer import Answer


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


MLP = Answer(
    MLP,
    mistakes=(KeptInAList, ReluAtTheEnd, NoReluAtAll, OneLayerManyTimes, OneLayerShort, RegisteredBackwards),
    hints=(
        "`__init__` begins with `super().__init__()`, as in `LeNet`: without it there is nowhere to put a layer.",
        "`pairwise(sizes)` runs over the pairs of neighbours; each pair makes one `nn.Linear`.",
        "Keep the layers in an `nn.ModuleList`; in `forward`, `self.layers[:-1]` are all but the last.",
    ),
)


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


conv_size = Answer(
    conv_size,
    mistakes=(true_division, rounded_up, padded_once, never_padded, one_too_few, divided_only),
    hints=(
        "Begin with stride 1 and no padding: 32 pixels, a window of 5. In how many places can it start?",
        "The first window starts at 0, the last one at size − kernel: that is one place more than there are moves.",
        "Padding makes the picture wider by twice its value; a stride of 2 takes every second place: `//`.",
    ),
)


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


paired_mse = Answer(
    paired_mse,
    mistakes=(never_mended, only_the_prediction, nothing_refused, only_counted, targets_dtype, summed),
    hints=(
        "Print the shape of `prediction - target` for (4, 1) and (4,): which number of it should not be there?",
        "First say which shapes you take: one axis, or two of which the second has length 1. Everything else, and "
        "two different N, is `raise ValueError(…)`.",
        "Then `flatten()` makes (N,) of both, and `target.to(prediction.dtype)` keeps float64 targets from "
        "changing the loss.",
    ),
)


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


cross_entropy = Answer(
    cross_entropy,
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
)


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


grouped_attention = Answer(
    grouped_attention,
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
)
