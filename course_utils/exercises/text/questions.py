"""What chapter 13 asks: all windows of a text, a mask of any shape, heads, one letter with a cache, top-p.

The inputs of each question, and how an answer is driven. A submission that is graded sees this file.
"""

import random
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import nn

from lessonkit.checks.question import Question
from lessonkit.checks.variants import offset, strided


def texts_and_lengths(seed: int) -> list[tuple]:
    """Return (tokens, length) of each case.

    Slices with an offset, every second or third token, one number seen many times; windows of one token, a single
    window, two tokens; whole numbers of two sizes, floats, of half the size too, which NumPy has not, truth values.
    """
    draw = torch.Generator().manual_seed(seed)

    def some(count, most=50):
        return torch.randint(most, (count,), generator=draw)

    long = some(40)
    return [
        (some(10), 3),
        (long[7:20], 4),  # begins in the middle of a storage
        (long[::2], 3),
        (long[5::3], 5),
        (strided(some(9)), 2),
        (offset(some(9)), 8),  # one window
        (some(7), 1),
        (some(2), 1),
        (some(12).to(torch.uint8), 5),
        (torch.randn(11, generator=draw), 6),
        (torch.randn(8, generator=draw).bfloat16(), 3),
        (some(9, 2).bool(), 4),
        (some(1).expand(6), 2),  # one number in memory
        (some(300), 64),
    ]


def _is_a_view(found, tokens):
    """By address: a view that went through NumPy has a storage of its own, which begins within that of `tokens`."""
    memory = tokens.untyped_storage()
    return 0 <= found.untyped_storage().data_ptr() - memory.data_ptr() < memory.nbytes()


def call_for_views(answer: Callable, tokens: torch.Tensor, length: int) -> dict:
    """What it returned, and how many numbers of it do not lie in the memory of `tokens`."""
    found = answer(tokens, length)
    if not isinstance(found, (tuple, list)) or len(found) != 2:
        raise TypeError(f"two tensors are asked for, (x, y); it returned one {type(found).__name__}")
    x, y = found
    if not isinstance(x, torch.Tensor) or not isinstance(y, torch.Tensor):
        raise TypeError(f"x is a {type(x).__name__} and y a {type(y).__name__}, where two tensors are asked for")
    return {"x": x, "y": y, "numbers copied": sum(0 if _is_a_view(one, tokens) else one.numel() for one in (x, y))}


windows = Question(
    "windows",
    inputs=texts_and_lengths,
    probe=call_for_views,
)


def queries_and_keys(seed: int) -> list[tuple]:
    """Return (queries, keys): one query, equally many, fewer, one of each, a whole context, the longest text."""
    draw = random.Random(seed)
    keys = draw.randint(8, 20)
    few = [(2, 5), (1, 5), (5, 5), (1, 1), (3, 7), (6, 7), (64, 64), (1, 64), (draw.randint(2, keys - 1), keys)]
    return [*few, (3, 2000)]


causal_mask = Question(
    "causal_mask",
    inputs=queries_and_keys,
)


def unchanged(heads):
    """Return each head as it is."""
    return heads


def mean_so_far(heads):
    """Return for each place the mean of the places up to it."""
    count = torch.arange(1, heads.shape[2] + 1, dtype=heads.dtype)
    return heads.cumsum(dim=2) / count[:, None]


def by_head(heads):
    """Return head h times h + 1."""
    return heads * torch.arange(1, heads.shape[1] + 1, dtype=heads.dtype)[:, None, None]


def narrower(heads):
    """Return the first number of each head only."""
    return heads[..., :1]


def wider(heads):
    """Return each head with its mean so far behind it."""
    return torch.cat((heads, mean_so_far(heads)), dim=-1)


def otherwise_in_memory(heads):
    """Return equal numbers, stored place by place and not head by head."""
    return mean_so_far(heads).mT.contiguous().mT


def above_zero(heads):
    """Return truth values, where a number is above 0."""
    return heads > 0


def rows_for_heads(seed: int) -> list[tuple]:
    """Return (f, x, num_heads) of each case.

    Functions that keep the size, that make heads narrower or wider, or of another dtype; one head, as many heads as
    numbers, one place, one entry; rows that lie otherwise in memory, double precision, trainable.
    """
    draw = torch.Generator().manual_seed(seed)

    def some(*shape):
        return torch.randn(shape, generator=draw)

    return [
        (mean_so_far, some(2, 3, 8), 2),
        (unchanged, some(2, 3, 8), 4),
        (by_head, some(1, 5, 6), 3),
        (otherwise_in_memory, some(2, 4, 12), 3),
        (narrower, some(3, 2, 8), 4),
        (wider, some(2, 4, 6), 2),
        (mean_so_far, some(5, 3, 8).transpose(0, 1), 2),
        (mean_so_far, strided(some(2, 3, 4)), 2),
        (mean_so_far, some(2, 3, 24)[..., 8:16], 2),  # as the keys lie in queries, keys and values
        (by_head, some(2, 2, 6), 6),
        (mean_so_far, some(2, 4, 6), 1),
        (mean_so_far, some(2, 1, 8), 4),
        (by_head, some(2, 3, 8).double(), 2),
        (mean_so_far, some(2, 3, 8).requires_grad_(), 2),
        (above_zero, some(2, 3, 4), 2),
    ]


def rows_in_words(f: Callable, x: torch.Tensor, num_heads: int) -> str:
    """The shape, the heads, and what the function does."""
    does = " ".join((f.__doc__ or "").removeprefix("Return ").split()).rstrip(".")
    return f"x of shape {tuple(x.shape)}, {num_heads} head{'s' if num_heads > 1 else ''}, f returns {does}"


def watch_f(answer: Callable, f: Callable, x: torch.Tensor, num_heads: int) -> dict:
    """What f was called with, how often, and whether in the memory of x; and what the answer returned."""
    given = []

    def watched(heads):
        given.append(heads)
        return f(heads)

    result = answer(watched, x, num_heads)
    copied = sum(0 if _is_a_view(one, x) else one.numel() for one in given)
    return {
        "calls of f": len(given),
        "f got": given[:1],
        "elements copied for f": copied,
        "the result": result,
    }


over_heads = Question(
    "over_heads",
    inputs=rows_for_heads,
    describe=rows_in_words,
    probe=watch_f,
)


def _turned(x, start):
    """The chapter's `turn`: (N, H, T, D) with each pair of numbers turned by the angles of its place."""
    half = x.shape[-1] // 2
    places = torch.arange(start, start + x.shape[2])
    angles = places[:, None] * 1000.0 ** (-torch.arange(half) / half)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    one, other = x.chunk(2, dim=-1)
    return torch.cat((one * cos - other * sin, one * sin + other * cos), dim=-1)


class _Attention(nn.Module):
    def __init__(self, width, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def split(self, x, start):
        query, key, value = self.qkv(x).unflatten(-1, (3, self.num_heads, -1)).permute(2, 0, 3, 1, 4)
        return _turned(query, start), _turned(key, start), value

    def join(self, heads):
        return self.out(heads.transpose(1, 2).flatten(2))

    def forward(self, x):
        return self.join(F.scaled_dot_product_attention(*self.split(x, 0), is_causal=True))


class _Block(nn.Module):
    def __init__(self, width, num_heads):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = _Attention(width, num_heads)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class GPT(nn.Module):
    """The chapter's net, with the names of its parts: what `step` is tried on."""

    def __init__(self, num_letters, context, width, num_heads, depth):
        super().__init__()
        self.context = context
        self.letters = nn.Embedding(num_letters, width)
        self.blocks = nn.ModuleList(_Block(width, num_heads) for _ in range(depth))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, num_letters, bias=False)

    def forward(self, tokens):
        """Logits (N, T, letters) of tokens (N, T)."""
        x = self.letters(tokens)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


def nets_and_tokens(seed: int) -> list[tuple]:
    """Return (model, tokens (2, N, T)) of each case: two texts, fed in turn, each with a cache of its own.

    Blocks and heads one and several, one text and three beside each other, a text of one letter, one that fills the
    context, double precision; every weight random, those of the norms too.
    """
    draw = torch.Generator().manual_seed(seed)

    def case(depth, width, num_heads, count, length, *, context=8, dtype=torch.float32):
        model = GPT(11, context, width, num_heads, depth)
        with torch.no_grad():
            for name, p in model.named_parameters():
                p.copy_(torch.randn(p.shape, generator=draw) * (0.3 if "norm" in name else p.shape[-1] ** -0.5))
                if name.endswith(("norm1.weight", "norm2.weight", "norm.weight")):
                    p += 1
        for block in model.blocks:
            block.attention.qkv.weight.data *= 3  # scores that tell one letter from another
        tokens = torch.randint(11, (2, count, length), generator=draw)
        return model.to(dtype).eval(), tokens

    return [
        case(2, 8, 2, 1, 6),
        case(1, 8, 2, 1, 5),
        case(3, 12, 3, 3, 4),
        case(2, 8, 1, 2, 5),
        case(2, 8, 4, 1, 8),  # to the context's end
        case(2, 8, 2, 2, 1),
        case(2, 16, 2, 1, 6, dtype=torch.float64),
        case(4, 8, 2, 2, 12, context=16),
    ]


def net_in_words(model: nn.Module, tokens: torch.Tensor) -> str:
    """Blocks, heads, texts and letters."""
    _, count, length = tokens.shape
    heads = model.blocks[0].attention.num_heads
    return (
        f"{len(model.blocks)} block{'s' if len(model.blocks) > 1 else ''}, {heads} head{'s' if heads > 1 else ''}, "
        f"token of shape ({count},), {length} token{'s' if length > 1 else ''} one by one"
    )


def feed_in_turn(answer: Callable, model: nn.Module, tokens: torch.Tensor) -> dict:
    """The logits after each letter of two texts, and how many letters went through the blocks more than once.

    The texts take turns, each with a cache of its own, so that nothing may be kept elsewhere.
    """
    rows = []
    hook = model.blocks[0].mlp.register_forward_hook(lambda _, inputs, out: rows.append(out[..., 0].numel()))
    caches, found = ([], []), ([], [])
    try:
        for place in range(tokens.shape[2]):
            for text, cache, logits in zip(tokens, caches, found, strict=True):
                logits.append(answer(model, text[:, place], cache))
    finally:
        hook.remove()
    report = {f"logits after token {place}": one for place, one in enumerate(found[0])}
    report |= {f"logits after token {place} of a second text": one for place, one in enumerate(found[1])}
    return report | {"tokens computed again": max(0, sum(rows) - tokens.numel())}


step = Question(
    "step",
    inputs=nets_and_tokens,
    describe=net_in_words,
    probe=feed_in_turn,
    rtol=1e-4,
    atol=1e-5,
)


def logits_and_shares(seed: int) -> list[tuple]:
    """Return (logits (…, V), p) of each case; no sum of probabilities comes within 0.001 of p.

    One row, several, a block of rows; one letter; a p so small that only the best is left, one that leaves out
    little; logits of a thousand, below any number that could stand for −inf, and −inf; equal letters on one side of
    the border; float64, other strides.
    """
    draw = torch.Generator().manual_seed(seed)

    def case(*shape, scale=2.0, p=None, change=None):
        while True:
            logits = torch.randn(shape, generator=draw) * scale
            logits = logits if change is None else change(logits)
            share = p or 0.3 + 0.6 * torch.rand((), generator=draw).item()
            sums = logits.double().softmax(-1).sort(descending=True).values.cumsum(-1)
            if ((sums - share).abs() > 1e-3).all():
                return logits, share

    def hidden(logits):
        return logits.index_fill(-1, torch.tensor([0, 3]), -torch.inf)

    def pairs(logits):
        return torch.cat((logits[..., :1] * 0 + 9, logits[..., :1] * 0 + 9, logits), dim=-1)

    return [
        case(2, 6),
        case(7),
        case(2, 3, 5),
        case(4, 103, p=0.9),
        case(3, 8, p=0.002),
        case(3, 8, p=0.97),
        case(2, 1, p=0.5),
        case(3, 6, scale=1000.0),
        case(3, 6, scale=1e35, change=lambda logits: logits - 1e36),
        case(2, 6, change=hidden),
        case(2, 4, p=0.98, scale=0.5, change=pairs),
        case(2, 6, change=lambda logits: logits.double() + 1000),  # float32 in between would cost digits
        case(3, 6, change=strided),
        case(8, 6, change=lambda logits: logits.sort(descending=True).values),
        case(8, 6, change=lambda logits: logits.sort().values),
    ]


top_p = Question(
    "top_p",
    inputs=logits_and_shares,
)
