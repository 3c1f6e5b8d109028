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
    """Linear layers with ReLU between them and none after the last; the ModuleList registers them."""

    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(size_in, size_out) for size_in, size_out in pairwise(sizes)])

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = F.relu(layer(x))
        return self.layers[-1](x)


class KeptInAList(nn.Module):
    """`parameters()` of your model yields nothing, so an optimizer would train nothing. It finds the layers in an
    `nn.ModuleList` that `__init__` assigns to `self`. It finds no layers in a plain Python list or in an attribute
    of the class, and a buffer is not a parameter."""

    def __init__(self, sizes):
        super().__init__()
        self.layers = [nn.Linear(*pair) for pair in pairwise(sizes)]

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = F.relu(layer(x))
        return self.layers[-1](x)


class ReluAtTheEnd(nn.Module):
    """You apply ReLU after the last layer too, so the output can never be negative. A logit can be negative, and so
    can many targets."""

    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(*pair) for pair in pairwise(sizes)])

    def forward(self, x):
        for layer in self.layers:
            x = F.relu(layer(x))
        return x


class NoReluAtAll(nn.Module):
    """There is no ReLU between your layers. A sequence of linear layers equals one linear layer, however long it
    is."""

    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(*pair) for pair in pairwise(sizes)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class OneLayerManyTimes(nn.Module):
    """You created one layer and use it several times. For example, `[layer] * n` is a list that holds the same
    layer n times. Create a new layer for each pair of sizes."""

    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(sizes[0], sizes[1])] * (len(sizes) - 1))

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = F.relu(layer(x))
        return self.layers[-1](x)


class OneLayerShort(nn.Module):
    """One layer is missing. With n sizes there are n − 1 layers, one for each pair of neighbouring sizes."""

    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(*pair) for pair in list(pairwise(sizes))[:-1]])

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = F.relu(layer(x))
        return self.layers[-1](x)


class RegisteredBackwards(nn.Module):
    """Your layers are registered from the last to the first, so `parameters()` yields the weight of the last layer
    first. The check writes values into the parameters in the order in which `parameters()` yields them."""

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
        "Begin `__init__` with `super().__init__()`, as in `LeNet`. Without it `nn.Module` cannot register layers.",
        "`pairwise(sizes)` yields the pairs of neighbouring sizes. Create one `nn.Linear` for each pair.",
        "Keep the layers in an `nn.ModuleList`. In `forward`, `self.layers[:-1]` holds all layers but the last.",
    ),
)


def conv_size(size, kernel, stride, padding):
    """One position for the first window, and one more for each whole stride that is left."""
    return (size + 2 * padding - kernel) // stride + 1


def true_division(size, kernel, stride, padding):
    """`/` returns a float, but a number of positions is an integer. A window that does not fit any more does not
    count, so use `//`."""
    return (size + 2 * padding - kernel) / stride + 1


def rounded_up(size, kernel, stride, padding):
    """You rounded up. A last window that would reach beyond the edge does not count, so round down."""
    return math.ceil((size + 2 * padding - kernel) / stride) + 1


def padded_once(size, kernel, stride, padding):
    """You padded one side only. `padding=1` adds one pixel on the left *and* one on the right."""
    return (size + padding - kernel) // stride + 1


def never_padded(size, kernel, stride, padding):
    """You did not use `padding`. It widens the image on both sides before the window moves."""
    return (size - kernel) // stride + 1


def one_too_few(size, kernel, stride, padding):
    """You counted the moves of the window. It has one position before its first move, so add 1."""
    return (size + 2 * padding - kernel) // stride


def divided_only(size, kernel, stride, padding):
    """You divided the size by the stride, but the window has a size of its own. A window that is 5 pixels wide has
    only 28 positions in 32 pixels."""
    return size // stride


conv_size = Answer(
    conv_size,
    mistakes=(true_division, rounded_up, padded_once, never_padded, one_too_few, divided_only),
    hints=(
        "Begin with stride 1 and no padding. At how many positions can a window of 5 pixels start in 32 pixels?",
        "The first window starts at 0 and the last one at size − kernel. So there is one position more than moves.",
        "Padding makes the image wider by twice its value. A stride of 2 uses every second position: divide by it "
        "with `//`.",
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
    """(N, 1) minus (N,) is still broadcast to (N, N), so the loss of perfect predictions is not 0. Reshape both to
    (N,) before you subtract."""
    return ((prediction - target) ** 2).mean()


def only_the_prediction(prediction, target):
    """You reshape the prediction to (N,) and leave the target as it is. A target of (N, 1) is then broadcast to (N,
    N)."""
    return ((prediction.flatten() - target) ** 2).mean()


def nothing_refused(prediction, target):
    """Your loss is right wherever the shapes fit, but it accepts shapes that it must refuse. `flatten`, `view(-1)`
    and `reshape(-1)` turn (3, 2) into six elements too. Raise a ValueError for shapes that do not fit, and for a
    single element that would be broadcast against N others."""
    return ((prediction.flatten() - target.flatten().to(prediction.dtype)) ** 2).mean()


def only_counted(prediction, target):
    """You compare the numbers of elements. (1, N), (3, 2) and (N, 1, 1) can have the right number of elements in
    the wrong shape. Check the dimensions before you flatten."""
    if prediction.numel() != target.numel():
        raise ValueError("unequal counts")
    return ((prediction.flatten() - target.flatten().to(prediction.dtype)) ** 2).mean()


def targets_dtype(prediction, target):
    """The dtype of your loss comes from type promotion. Targets in float64, NumPy's default, turn a float32 loss
    into float64. Convert the target to the prediction's dtype."""
    for tensor in (prediction, target):
        if tensor.dim() not in (1, 2) or tensor.shape[1:].numel() != 1:
            raise ValueError("shape")
    if len(prediction) != len(target):
        raise ValueError("length")
    return ((prediction.flatten() - target.flatten()) ** 2).mean()


def summed(prediction, target):
    """You summed the squares, but the task asks for their mean. A sum grows with the batch, and so would the
    step."""
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
        "Print the shape of `prediction - target` for (4, 1) and (4,). Which shape should it have?",
        "First check the shapes. Accept one dimension, or two of which the second has size 1. For everything else, "
        "and for two different N, `raise ValueError(…)`.",
        "Then `flatten()` turns both into (N,), and `target.to(prediction.dtype)` keeps float64 targets from "
        "changing the dtype of the loss.",
    ),
)


def cross_entropy(logits, targets):
    """log(sum of exp) minus the logit of the right class, averaged; first the largest logit of a row becomes 0."""
    gaps = logits - logits.amax(dim=1, keepdim=True)
    chosen = gaps.gather(1, targets[:, None])[:, 0]
    return (gaps.logsumexp(dim=1) - chosen).mean()


def shifted_by_the_right_one(logits, targets):
    """You shifted each row by the logit of its right class. Where this logit lies far below the others, float32
    rounds away the differences between the others, and the gradient is wrong. Subtract each row's largest logit
    instead."""
    return (logits - logits.gather(1, targets[:, None])).logsumexp(dim=1).mean()


def never_shifted(logits, targets):
    """`logsumexp` does not overflow, so this is right for ordinary logits. But around 1e8 the numbers of float32
    are 8 apart: the log of the sum is rounded, and a loss of 0.69 becomes 0. Subtract each row's largest logit
    first. This does not change the loss."""
    chosen = logits.gather(1, targets[:, None])[:, 0]
    return (logits.logsumexp(dim=1) - chosen).mean()


def borrowed_from_torch(logits, targets):
    """The result is right, but `log_softmax` or one of PyTorch's loss functions computed it. Write it with `exp`,
    `log`, `logsumexp`, sums and differences."""
    return F.cross_entropy(logits, targets)


def log_of_softmax(logits, targets):
    """The formula is right, but it underflows. Where logits are far apart, a probability is rounded to 0, and its
    log is −inf. Do not compute the probability: subtract each row's largest logit, and then work with
    logarithms."""
    chosen = logits.softmax(dim=1).gather(1, targets[:, None])[:, 0]
    return -chosen.log().mean()


def exponentials_by_hand(logits, targets):
    """The formula is right, but it overflows. exp(100) is already inf in float32, and inf / inf is nan. Subtract
    each row's largest logit first. Then no exponential is above 1, and the loss is the same."""
    exponentials = logits.exp()
    chosen = (exponentials / exponentials.sum(dim=1, keepdim=True)).gather(1, targets[:, None])[:, 0]
    return -chosen.log().mean()


def eps_in_the_log(logits, targets):
    """A small number such as 1e-12 inside the log limits the loss, here to 27.6. At this limit the gradient is 0,
    so a model that is confident and wrong learns nothing. If you do not compute the probability, you need no
    limit."""
    chosen = logits.softmax(dim=1).gather(1, targets[:, None])[:, 0]
    return -(chosen + 1e-12).log().mean()


def softmax_twice(logits, targets):
    """You applied a softmax to the logits, and the cross-entropy applied it again. Use the logits as they are."""
    probabilities = logits.softmax(dim=1)
    chosen = probabilities.gather(1, targets[:, None])[:, 0]
    return (probabilities.logsumexp(dim=1) - chosen).mean()


def along_the_batch(logits, targets):
    """Your sum of exponentials runs over dim 0, the batch. It must run over the classes of one image, dim 1."""
    chosen = logits.gather(1, targets[:, None])[:, 0]
    return logits.logsumexp(dim=0).mean() - chosen.mean()


def never_averaged(logits, targets):
    """You summed over the batch, so twice the batch gives twice the loss and twice the step. Take the mean."""
    gaps = logits - logits.amax(dim=1, keepdim=True)
    chosen = gaps.gather(1, targets[:, None])[:, 0]
    return (gaps.logsumexp(dim=1) - chosen).sum()


def one_per_picture(logits, targets):
    """Your result has one loss for each image, shape (N,). `backward()` needs a scalar, so take the mean."""
    gaps = logits - logits.amax(dim=1, keepdim=True)
    chosen = gaps.gather(1, targets[:, None])[:, 0]
    return gaps.logsumexp(dim=1) - chosen


def sign_lost(logits, targets):
    """The sign is wrong. Your result is the mean *log-probability*, which training should increase. A loss is what
    training decreases."""
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
        "log(eᵃ / sum) = a − log(sum). Which two terms does −log p have?",
        "`logsumexp(dim=1)` is the log of the sum of exponentials, without overflow. To keep the digits of huge "
        "logits, subtract each row's largest logit from the row first. This does not change the softmax.",
        "`logits.gather(1, targets[:, None])[:, 0]` is the logit of the right class of each row.",
    ),
)


def grouped_attention(query, key, value, real):
    """Repeat each head of keys and values for neighbouring query heads; padding gets -inf before the softmax and 0
    after it."""
    heads_each = query.shape[1] // key.shape[1]
    key, value = (t.repeat_interleave(heads_each, dim=1) for t in (key, value))
    padding = ~real[:, None, None, :]
    scores = (query @ key.mT / math.sqrt(query.shape[-1])).masked_fill(padding, -torch.inf)
    return scores.softmax(dim=-1).masked_fill(padding, 0) @ value


def heads_in_turn(query, key, value, real):
    """Your query heads use the key heads in the order 0, 1, 0, 1. Neighbouring query heads must share one key head:
    0, 0, 1, 1. `repeat` repeats the whole sequence of heads, and `repeat_interleave` repeats each head next to
    itself."""
    times = query.shape[1] // key.shape[1]
    key, value = (t.repeat(1, times, 1, 1) for t in (key, value))
    padding = ~real[:, None, None, :]
    scores = (query @ key.mT / math.sqrt(query.shape[-1])).masked_fill(padding, -torch.inf)
    return scores.softmax(dim=-1).masked_fill(padding, 0) @ value


def never_divided(query, key, value, real):
    """The scores are not divided by √D. Their standard deviation then grows with √D, and for a large D the softmax
    is almost one-hot."""
    times = query.shape[1] // key.shape[1]
    key, value = (t.repeat_interleave(times, dim=1) for t in (key, value))
    padding = ~real[:, None, None, :]
    scores = (query @ key.mT).masked_fill(padding, -torch.inf)
    return scores.softmax(dim=-1).masked_fill(padding, 0) @ value


def nan_for_padding(query, key, value, real):
    """Your result is right, except for a batch element in which all keys are padding. All its scores are −inf, so
    its softmax and its output are NaN. The output must be 0."""
    times = query.shape[1] // key.shape[1]
    key, value = (t.repeat_interleave(times, dim=1) for t in (key, value))
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    return scores.masked_fill(~real[:, None, None, :], -torch.inf).softmax(dim=-1) @ value


def mean_of_padding(query, key, value, real):
    """Your result is right, except for a batch element in which all keys are padding. All its scores are equal, so
    its output is the mean of the values of padding. The output must be 0."""
    times = query.shape[1] // key.shape[1]
    key, value = (t.repeat_interleave(times, dim=1) for t in (key, value))
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    lowest = torch.finfo(scores.dtype).min
    return scores.masked_fill(~real[:, None, None, :], lowest).softmax(dim=-1) @ value


def large_negative(query, key, value, real):
    """Padding gets a large negative score such as −1e9, and not −inf. Where the scores of real keys are lower
    still, padding gets all the weight. In a batch element in which all keys are padding, all scores are equal, so
    the output is a mean and not 0."""
    times = query.shape[1] // key.shape[1]
    key, value = (t.repeat_interleave(times, dim=1) for t in (key, value))
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    return scores.masked_fill(~real[:, None, None, :], -1e9).softmax(dim=-1) @ value


def zero_as_a_score(query, key, value, real):
    """You set the score of padding to 0. This is a score like any other: e⁰ = 1, so padding keeps a weight. Only a
    score of −inf gives a weight of 0."""
    times = query.shape[1] // key.shape[1]
    key, value = (t.repeat_interleave(times, dim=1) for t in (key, value))
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    return scores.masked_fill(~real[:, None, None, :], 0).softmax(dim=-1) @ value


def after_the_softmax(query, key, value, real):
    """You set the weights of padding to 0 after the softmax, so the remaining weights add up to less than 1. Mask
    the scores before the softmax."""
    times = query.shape[1] // key.shape[1]
    key, value = (t.repeat_interleave(times, dim=1) for t in (key, value))
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    return scores.softmax(dim=-1).masked_fill(~real[:, None, None, :], 0) @ value


def padding_seen(query, key, value, real):
    """Padding gets weights as if it were real. `real` changes nothing in your result."""
    times = query.shape[1] // key.shape[1]
    key, value = (t.repeat_interleave(times, dim=1) for t in (key, value))
    return (query @ key.mT / math.sqrt(query.shape[-1])).softmax(dim=-1) @ value


def library_attention(query, key, value, real):
    """The result is right, but PyTorch's own attention computed it. Write it with `@`, a mask and a softmax."""
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
        "Begin with `attend` from above and H = G. The mask needs the shape (N, 1, 1, S): "
        "`real[:, None, None, :]`.",
        "Give each query head a key head of its own with `key.repeat_interleave(H // G, dim=1)`. Do the same with "
        "`value`.",
        "Fill the scores of padding with −inf before the softmax. Where a batch element has no real key, this "
        "gives NaN, so fill the weights of padding with 0 after the softmax.",
    ),
)
