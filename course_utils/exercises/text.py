"""Questions of chapter 13: all windows of a text, a mask of any shape, heads, one letter with a cache, top-p."""

import random
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import nn

from lessonkit.checks.exercise import Exercise
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


def windows(tokens, length):
    """All windows of length + 1 as one view; its first columns are x, its last ones y."""
    every = tokens.unfold(0, length + 1, 1)
    return every[:, :-1], every[:, 1:]


def stacked(tokens, length):
    """The numbers are right, and each was copied about `length` times: a text of a gigabyte would take 64 for
    windows of 64. A view with overlapping rows copies none."""
    count = len(tokens) - length
    x = torch.stack([tokens[i : i + length] for i in range(count)])
    return x, torch.stack([tokens[i + 1 : i + 1 + length] for i in range(count)])


def nothing_to_predict(tokens, length):
    """Your `y` is `x`: the net would have to say the letter that it sees. `y` begins one token later."""
    every = tokens.unfold(0, length + 1, 1)
    return every[:, :-1], every[:, :-1]


def lost_the_last(tokens, length):
    """The last window is missing: `len(tokens) - length` windows have a token behind them, the last of all
    included."""
    every = tokens.unfold(0, length + 1, 1)[:-1]
    return every[:, :-1], every[:, 1:]


def one_without_a_target(tokens, length):
    """Your `x` has a row more than `y`: the window at the very end has no token behind it, and nothing to
    predict."""
    return tokens.unfold(0, length, 1), tokens[1:].unfold(0, length, 1)


def side_by_side(tokens, length):
    """Your windows lie side by side, a whole length apart. Asked for are all: each begins one token later."""
    every = tokens.unfold(0, length + 1, length)
    return every[:, :-1], every[:, 1:]


def from_the_storages_start(tokens, length):
    """`storage_offset` counts from the storage's first number. A slice such as `text[7:20]` begins later:
    `tokens.storage_offset()` says where."""
    step = tokens.stride(0)
    size, strides = (len(tokens) - length, length), (step, step)
    return torch.as_strided(tokens, size, strides, 0), torch.as_strided(tokens, size, strides, step)


def steps_of_one(tokens, length):
    """You stepped through memory by one number. Where `tokens` is every second number of a text, its neighbours lie
    two apart: `tokens.stride(0)` says how far."""
    size, first = (len(tokens) - length, length), tokens.storage_offset()
    return torch.as_strided(tokens, size, (1, 1), first), torch.as_strided(tokens, size, (1, 1), first + 1)


def rows_of_neighbours(tokens, length):
    """Strides of (1, 1) take numbers side by side in memory. They are neighbours in `tokens` unless that is a
    slice with a step: `tokens.stride(0)` says how far apart neighbours lie."""
    size = (len(tokens) - length, length)
    return tokens.as_strided(size, (1, 1)), tokens[1:].as_strided(size, (1, 1))


def copied_if_sliced(tokens, length):
    """`contiguous()` copies where `tokens` is a slice with a step, `text[::2]`, and nowhere else: that goes unseen.
    `unfold` works at any stride."""
    every = tokens.contiguous().unfold(0, length + 1, 1)
    return every[:, :-1], every[:, 1:]


def made_long(tokens, length):
    """`long()` copies whatever is not int64 yet, and cuts off what floats have behind the point. The windows have
    the dtype of `tokens`."""
    every = tokens.long().unfold(0, length + 1, 1)
    return every[:, :-1], every[:, 1:]


def through_numpy(tokens, length):
    """NumPy has no bfloat16: `numpy()` refuses such a tensor. Asked for is any dtype; `unfold` is NumPy's
    `sliding_window_view` in PyTorch."""
    every = torch.from_numpy(tokens.numpy()).unfold(0, length + 1, 1)
    return every[:, :-1], every[:, 1:]


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


windows = Exercise(
    windows,
    inputs=texts_and_lengths,
    probe=call_for_views,
    mistakes=(
        stacked,
        nothing_to_predict,
        lost_the_last,
        one_without_a_target,
        side_by_side,
        from_the_storages_start,
        steps_of_one,
        rows_of_neighbours,
        copied_if_sliced,
        made_long,
        through_numpy,
    ),
    hints=(
        "One view holds all windows of `length + 1` tokens: x is its first columns, y its last ones.",
        "`tokens.unfold(dimension, size, step)` is such a view; slices of a view are views.",
    ),
)


def queries_and_keys(seed: int) -> list[tuple]:
    """Return (queries, keys): one query, equally many, fewer, one of each, a whole context, the longest text."""
    draw = random.Random(seed)
    keys = draw.randint(8, 20)
    few = [(2, 5), (1, 5), (5, 5), (1, 1), (3, 7), (6, 7), (64, 64), (1, 64), (draw.randint(2, keys - 1), keys)]
    return [*few, (3, 2000)]


def causal_mask(queries, keys):
    """The triangle, moved so that it ends in the lower right corner."""
    return torch.ones(queries, keys, dtype=torch.bool).tril(keys - queries)


def top_left(queries, keys):
    """Your triangle begins in the upper left corner: query 0 sees key 0 only. But the queries are the *last*
    letters, and the last of them sees every key. With as many queries as keys there is no difference."""
    return torch.ones(queries, keys, dtype=torch.bool).tril()


def blind_to_itself(queries, keys):
    """A letter may see itself: its own key stands on the diagonal. In your mask a first letter sees nothing, and
    the softmax of nothing is NaN."""
    return torch.ones(queries, keys, dtype=torch.bool).tril(keys - queries - 1)


def sees_the_future(queries, keys):
    """Your triangle is the other one: each query sees itself and what comes *after* it."""
    return torch.ones(queries, keys, dtype=torch.bool).triu(keys - queries)


def true_hides(queries, keys):
    """In your mask True means *may not look*, as in `nn.MultiheadAttention`. Asked for is True where a query may
    look, as `F.scaled_dot_product_attention` reads it."""
    return torch.ones(queries, keys, dtype=torch.bool).triu(keys - queries + 1)


def ones_and_zeros(queries, keys):
    """Your mask holds ones and zeros as floats. `F.scaled_dot_product_attention` *adds* a float mask to the
    scores: 0 hides nothing. Asked for is bool."""
    return torch.ones(queries, keys).tril(keys - queries)


def to_be_added(queries, keys):
    """Your mask holds 0 and −inf, which could be added to scores. Asked for is bool: True where a query may
    look."""
    return torch.full((queries, keys), -torch.inf).triu(keys - queries + 1)


def always_square(queries, keys):
    """Your mask has a row for each key. Asked for are the rows of the queries, the last ones."""
    return torch.ones(keys, keys, dtype=torch.bool).tril()


def the_past_hidden(queries, keys):
    """Your queries see one another, and none of the keys before the first of them. Those are the text so far, which
    the cache is for: True."""
    past = torch.zeros(queries, keys - queries, dtype=torch.bool)
    return torch.cat((past, torch.ones(queries, queries, dtype=torch.bool).tril()), dim=1)


causal_mask = Exercise(
    causal_mask,
    inputs=queries_and_keys,
    mistakes=(
        top_left,
        blind_to_itself,
        sees_the_future,
        true_hides,
        ones_and_zeros,
        to_be_added,
        always_square,
        the_past_hidden,
    ),
    hints=(
        "Query i of `queries` is letter `keys - queries + i` of the text: it sees the keys up to that one.",
        "`torch.ones(queries, keys, dtype=torch.bool).tril(diagonal)`: which diagonal ends in the lower right "
        "corner?",
    ),
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
    return {"calls of f": len(given), "what f got": given[:1], "numbers copied for f": copied, "the result": result}


def over_heads(f, x, num_heads):
    """Split the numbers, bring the heads before the places; afterwards the other way round."""
    heads = x.unflatten(-1, (num_heads, -1)).transpose(1, 2)
    return f(heads).transpose(1, 2).flatten(2)


def never_transposed(f, x, num_heads):
    """`view(N, H, T, D)` has the right shape and the wrong numbers: it cuts the places into heads. Split the last
    axis first, (N, T, H, D), then let heads and places change places."""
    N, T, C = x.shape
    found = f(x.reshape(N, num_heads, T, C // num_heads))
    return found.reshape(N, T, -1)


def merged_without_transpose(f, x, num_heads):
    """What f gets is right. Its result was put together without a transpose, so the numbers of one head at several
    places stand where those of several heads at one place belong."""
    found = f(x.unflatten(-1, (num_heads, -1)).transpose(1, 2))
    return found.reshape(x.shape[0], x.shape[1], -1)


def heads_innermost(f, x, num_heads):
    """You split the last axis into (D, H): head h gets every H-th number. A head is D neighbours: (H, D)."""
    heads = x.unflatten(-1, (-1, num_heads)).permute(0, 3, 1, 2)
    return f(heads).transpose(1, 2).flatten(2)


def copied_for_f(f, x, num_heads):
    """The numbers are right, and f got a copy. A view and a transpose move nothing: leave out `contiguous()`,
    `clone()`, `stack`, and where `view` refuses after the transpose, split before it."""
    heads = x.unflatten(-1, (num_heads, -1)).transpose(1, 2).contiguous()
    if num_heads == 1 or x.shape[1] == 1:
        heads = heads.clone()
    return f(heads).transpose(1, 2).flatten(2)


def copied_if_strided(f, x, num_heads):
    """Where x lies otherwise in memory, `contiguous()`, or a `reshape` to three axes, copies it for f. Cutting the
    last axis is a view at any strides: `x.unflatten(-1, (num_heads, -1))`."""
    N, T, C = x.shape
    heads = x.contiguous().view(N, T, num_heads, C // num_heads).transpose(1, 2)
    return f(heads).transpose(1, 2).flatten(2)


def places_cut(f, x, num_heads):
    """`view(N, H, T, D)` cuts the places, not the numbers: head 0 gets the first places, all their numbers. Cut the
    last axis, (N, T, H, D), then swap heads and places."""
    N, T, C = x.shape
    return f(x.view(N, num_heads, T, C // num_heads)).transpose(1, 2).flatten(2)


def as_wide_as_x(f, x, num_heads):
    """You put the results together as C columns. f may return heads of another width E: H · E columns. `flatten`
    asks for no number."""
    N, T, C = x.shape
    return f(x.unflatten(-1, (num_heads, -1)).transpose(1, 2)).transpose(1, 2).reshape(N, T, C)


def in_the_default_dtype(f, x, num_heads):
    """The numbers are right, in a new tensor of the default dtype: of float64 half the digits are lost. A transpose
    and `flatten` need no new tensor; where you make one, its dtype is that of f's result."""
    found = f(x.unflatten(-1, (num_heads, -1)).transpose(1, 2))
    joined = torch.empty(x.shape[0], x.shape[1], num_heads * found.shape[-1])
    return joined.copy_(found.transpose(1, 2).flatten(2))


def left_apart(f, x, num_heads):
    """The heads are still apart, (N, T, H, E). Asked for is (N, T, H · E): the heads of a place side by side."""
    return f(x.unflatten(-1, (num_heads, -1)).transpose(1, 2)).transpose(1, 2)


def places_behind_heads(f, x, num_heads):
    """What f gets has the axes (N, T, H, D): for f the places are heads, and the heads places. A transpose is
    missing."""
    return f(x.unflatten(-1, (num_heads, -1))).flatten(2)


over_heads = Exercise(
    over_heads,
    inputs=rows_for_heads,
    describe=rows_in_words,
    probe=watch_f,
    mistakes=(
        never_transposed,
        merged_without_transpose,
        heads_innermost,
        copied_for_f,
        copied_if_strided,
        places_cut,
        as_wide_as_x,
        in_the_default_dtype,
        left_apart,
        places_behind_heads,
    ),
    hints=(
        "First split the last axis into heads: (N, T, H, D), by `view` or `unflatten`. Then swap two axes.",
        "The way back is the same in reverse: swap the two axes, then join the last two. After a transpose `view` "
        "refuses; `reshape` and `flatten` copy.",
    ),
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
        f"token of shape ({count},), {length} letter{'s' if length > 1 else ''} one by one"
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
    report = {f"logits after letter {place}": one for place, one in enumerate(found[0])}
    report |= {f"logits after letter {place} of a second text": one for place, one in enumerate(found[1])}
    return report | {"letters computed again": max(0, sum(rows) - tokens.numel())}


def step(model, token, cache):
    """Through the blocks with one letter; each block keeps its keys and values, and its query sees all of them."""
    with torch.no_grad():
        place = cache[0][0].shape[2] if cache else 0
        x = model.letters(token)[:, None]  # (N, 1, C)
        for number, block in enumerate(model.blocks):
            query, key, value = block.attention.split(block.norm1(x), place)  # (N, H, 1, D) each
            if place:
                key, value = torch.cat((cache[number][0], key), dim=2), torch.cat((cache[number][1], value), dim=2)
                cache[number] = key, value
            else:
                cache.append((key, value))
            found = F.scaled_dot_product_attention(query, key, value)
            x = x + block.attention.join(found)
            x = x + block.mlp(block.norm2(x))
        return model.head(model.norm(x))[:, 0]


def _step(
    model,
    token,
    cache,
    *,
    place=None,
    normed=True,
    shared=False,
    grown=True,
    attend=None,
    split=_Attention.split,
    graph=False,
):
    """Our step with one thing in it otherwise: what the mistakes below differ in."""
    attend = attend or F.scaled_dot_product_attention
    if grown:
        done = cache[0][0].shape[2] // (len(model.blocks) if shared else 1) if cache else 0
    else:
        done = len(cache)
        cache.append(None)
    with torch.set_grad_enabled(graph):
        x, start = model.letters(token)[:, None], done if place is None else place(done)
        for number, block in enumerate(model.blocks):
            query, key, value = split(block.attention, block.norm1(x), start)
            if not normed:
                _, key, value = block.attention.split(x, start)
            if grown:
                slot = 0 if shared else number
                if slot < len(cache):
                    key, value = (torch.cat(two, dim=2) for two in zip(cache[slot], (key, value), strict=True))
                    cache[slot] = key, value
                else:
                    cache.append((key, value))
            x = x + block.attention.join(attend(query, key, value))
            x = x + block.mlp(block.norm2(x))
        return model.head(model.norm(x))[:, 0]


def always_place_zero(model, token, cache):
    """Every letter of yours stands at place 0. The cache knows how many letters came before: that is the place."""
    return _step(model, token, cache, place=lambda done: 0)


def place_by_the_lists_length(model, token, cache):
    """`len(cache)` counts what you put in: an entry for each block. The letters before this one stand in an entry,
    `cache[0][0].shape[2]`."""
    return _step(model, token, cache, place=lambda done: len(cache))


def counted_elsewhere(model, token, cache, count=[0]):  # noqa: B006 - the default that remembers is the mistake
    """You count the letters outside `cache`, in a global, an attribute, a default: other texts are continued in
    between, and move your count. The cache itself says how many letters it holds."""
    count[0] = count[0] + 1 if cache else 0
    return _step(model, token, cache, place=lambda done: count[0])


def key_left_at_zero(model, token, cache):
    """Your key is always turned as if it stood at place 0; the query stands at its place. `split` wants the place
    of the letter, the number of letters before it, for both."""

    def split(attention, x, start):
        query, _, value = attention.split(x, start)
        return query, attention.split(x, 0)[1], value

    return _step(model, token, cache, split=split)


def sees_the_first_only(model, token, cache):
    """Your letter sees the first key only: with fewer queries than keys `is_causal=True` draws its triangle from
    the upper left corner. The newest letter may see all keys, and needs no mask."""

    def attend(query, key, value):
        return F.scaled_dot_product_attention(query, key, value, is_causal=True)

    return _step(model, token, cache, attend=attend)


def kept_before_the_norm(model, token, cache):
    """Your keys and values come from x as it enters the block. The block computes them from `norm1(x)`, as it does
    the query."""
    return _step(model, token, cache, normed=False)


def one_cache_for_all(model, token, cache):
    """Your blocks share one cache: each sees the keys and values of the blocks below as if they were letters. Each
    needs one of its own."""
    return _step(model, token, cache, shared=True)


def sees_itself_only(model, token, cache):
    """Your letter sees itself only: the keys and values of earlier letters are not there. Put what you keep into
    `cache`, and join what is new to what was there, along the places."""
    return _step(model, token, cache, grown=False)


def never_divided(model, token, cache):
    """The scores are not divided by √D, as the net's own are: D is the length of one head's query."""

    def attend(query, key, value):
        return (query @ key.mT).softmax(dim=-1) @ value

    return _step(model, token, cache, attend=attend)


def kept_the_graph(model, token, cache):
    """The numbers are right, and tied to a graph: it holds every tensor of every letter before, and grows with
    each. Nobody calls `backward` here: compute without a graph."""
    return _step(model, token, cache, graph=True)


def computed_again(model, token, cache):
    """The numbers are right, but every letter goes through all blocks again at each step: you keep letters, and not
    keys and values."""
    cache.append(token)
    with torch.no_grad():
        return model(torch.stack(cache, dim=1))[:, -1]


step = Exercise(
    step,
    inputs=nets_and_tokens,
    describe=net_in_words,
    probe=feed_in_turn,
    mistakes=(
        always_place_zero,
        place_by_the_lists_length,
        counted_elsewhere,
        key_left_at_zero,
        sees_the_first_only,
        kept_before_the_norm,
        one_cache_for_all,
        sees_itself_only,
        never_divided,
        kept_the_graph,
        computed_again,
    ),
    hints=(
        "Write the net's `forward` for one letter, x (N, 1, C), block by block, under `torch.no_grad()`. Which "
        "place has the letter?",
        "In each block `block.attention.split(block.norm1(x), place)` gives query, key and value of this letter, "
        "(N, H, 1, D) each.",
        "Join this block's earlier keys and values to the new ones, `torch.cat((old, new), dim=2)`, and keep the "
        "result in `cache`, an entry for each block. The one query sees all keys: no mask.",
    ),
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


def top_p(logits, p):
    """Sort, drop what comes after the sum has reached p, divide by what is left, put everything back."""
    probabilities, order = logits.softmax(dim=-1).sort(descending=True)
    before = probabilities.cumsum(dim=-1) - probabilities
    kept = probabilities.masked_fill(before > p, 0)
    return torch.zeros_like(kept).scatter(-1, order, kept / kept.sum(dim=-1, keepdim=True))


def dropped_the_crossing(logits, p):
    """You left out the letter with which the sum passes p: what you keep adds up to less than p, and where the best
    letter alone has more, nothing is left, and 0 / 0 is NaN."""
    probabilities, order = logits.softmax(dim=-1).sort(descending=True)
    kept = probabilities.masked_fill(probabilities.cumsum(dim=-1) > p, 0)
    return torch.zeros_like(kept).scatter(-1, order, kept / kept.sum(dim=-1, keepdim=True))


def stopped_short(logits, p):
    """You left out the letter with which the sum passes p, but for the best of all. As few as make p *or more*: the
    letter that crosses belongs to them. Ask for the sum *before* each letter."""
    probabilities, order = logits.softmax(dim=-1).sort(descending=True)
    keep = probabilities.cumsum(dim=-1) <= p
    keep[..., 0] = True
    kept = probabilities.masked_fill(~keep, 0)
    return torch.zeros_like(kept).scatter(-1, order, kept / kept.sum(dim=-1, keepdim=True))


def softmax_by_hand(logits, p):
    """`exp` of a large logit is inf, and inf / inf is NaN; of very small ones all are 0. `softmax` takes off the
    largest logit first, which changes no probability."""
    powers = logits.exp()
    probabilities, order = (powers / powers.sum(dim=-1, keepdim=True)).sort(descending=True)
    kept = probabilities.masked_fill(probabilities.cumsum(dim=-1) - probabilities > p, 0)
    return torch.zeros_like(kept).scatter(-1, order, kept / kept.sum(dim=-1, keepdim=True))


def a_number_for_infinity(logits, p):
    """You wrote a large negative number for what you drop. Where all logits lie below it, it is the largest, and
    what you dropped is all that is left. −inf lies below every number."""
    probabilities, order = logits.softmax(dim=-1).sort(descending=True)
    drop = probabilities.cumsum(dim=-1) - probabilities > p
    return logits.masked_fill(torch.zeros_like(drop).scatter(-1, order, drop), -1e9).softmax(dim=-1)


def never_sorted(logits, p):
    """You added up the probabilities in the letters' order. The *most probable* come first: sort before."""
    probabilities = logits.softmax(dim=-1)
    kept = probabilities.masked_fill(probabilities.cumsum(dim=-1) - probabilities > p, 0)
    return kept / kept.sum(dim=-1, keepdim=True)


def left_in_order(logits, p):
    """The probabilities are right, and stand sorted: number 0 is the most probable letter's, whichever that is. Put
    each back where its letter was."""
    probabilities = logits.softmax(dim=-1).sort(descending=True).values
    kept = probabilities.masked_fill(probabilities.cumsum(dim=-1) - probabilities > p, 0)
    return kept / kept.sum(dim=-1, keepdim=True)


def sorted_once_more(logits, p):
    """You put the probabilities back with `gather`, or by indexing with the order: that applies it a second time.
    `scatter` writes to where `gather` would read."""
    probabilities, order = logits.softmax(dim=-1).sort(descending=True)
    kept = probabilities.masked_fill(probabilities.cumsum(dim=-1) - probabilities > p, 0)
    return (kept / kept.sum(dim=-1, keepdim=True)).gather(-1, order)


def never_divided_again(logits, p):
    """The right letters are left, but their probabilities no longer add up to 1: divide by their sum."""
    probabilities, order = logits.softmax(dim=-1).sort(descending=True)
    kept = probabilities.masked_fill(probabilities.cumsum(dim=-1) - probabilities > p, 0)
    return torch.zeros_like(kept).scatter(-1, order, kept)


def one_too_many(logits, p):
    """You kept one letter more than needed: the sum had reached p without it."""
    probabilities, order = logits.softmax(dim=-1).sort(descending=True)
    before = probabilities.cumsum(dim=-1) - probabilities
    kept = probabilities.masked_fill(F.pad(before, (1, 0))[..., :-1] > p, 0)
    return torch.zeros_like(kept).scatter(-1, order, kept / kept.sum(dim=-1, keepdim=True))


def the_least_probable(logits, p):
    """You sorted upwards, and kept the *least* probable letters."""
    probabilities, order = logits.softmax(dim=-1).sort()
    kept = probabilities.masked_fill(probabilities.cumsum(dim=-1) - probabilities > p, 0)
    return torch.zeros_like(kept).scatter(-1, order, kept / kept.sum(dim=-1, keepdim=True))


def a_softmax_again(logits, p):
    """You took a softmax of probabilities: it makes them all but equal, and what should be 0 is e⁰. Divide by the
    sum, or set *logits* to −inf."""
    probabilities, order = logits.softmax(dim=-1).sort(descending=True)
    kept = probabilities.masked_fill(probabilities.cumsum(dim=-1) - probabilities > p, 0)
    return torch.zeros_like(kept).scatter(-1, order, kept).softmax(dim=-1)


def in_the_logits(logits, p):
    """The result is right, but `logits` has changed: you wrote into the tensor that you were given. Write into a
    copy."""
    probabilities, order = logits.softmax(dim=-1).sort(descending=True)
    drop = probabilities.cumsum(dim=-1) - probabilities > p
    return logits.masked_fill_(torch.zeros_like(drop).scatter(-1, order, drop), -torch.inf).softmax(dim=-1)


top_p = Exercise(
    top_p,
    inputs=logits_and_shares,
    mistakes=(
        dropped_the_crossing,
        stopped_short,
        softmax_by_hand,
        a_number_for_infinity,
        never_sorted,
        left_in_order,
        sorted_once_more,
        never_divided_again,
        one_too_many,
        the_least_probable,
        a_softmax_again,
        in_the_logits,
    ),
    hints=(
        "Sort the probabilities downwards and keep the order. `cumsum` less the letter's own is the sum before it: "
        "which letters go?",
        "Divide what is left by its sum. `torch.zeros_like(kept).scatter(-1, order, kept)` puts each back.",
    ),
)
