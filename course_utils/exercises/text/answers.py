"""Our answers to the questions of chapter 13: references, known mistakes and hints.

The docstring of a mistake is what a learner reads who makes it. A submission that is graded never sees this file.
"""

import torch
import torch.nn.functional as F

from course_utils.exercises.text.questions import _Attention
from lessonkit.checks.answer import Answer


def windows(tokens, length):
    """All windows of length + 1 are one view. All its columns except the last are x, and all except the first
    are y."""
    every = tokens.unfold(0, length + 1, 1)
    return every[:, :-1], every[:, 1:]


def stacked(tokens, length):
    """The values are right, but each was copied about `length` times. With windows of 64, a text of one gigabyte
    would take 64. A view with overlapping rows copies nothing."""
    count = len(tokens) - length
    x = torch.stack([tokens[i : i + length] for i in range(count)])
    return x, torch.stack([tokens[i + 1 : i + 1 + length] for i in range(count)])


def nothing_to_predict(tokens, length):
    """Your `y` equals `x`, so the model would only have to repeat the token that it sees. `y` must begin one
    token later."""
    every = tokens.unfold(0, length + 1, 1)
    return every[:, :-1], every[:, :-1]


def lost_the_last(tokens, length):
    """The last window is missing. `len(tokens) - length` windows have a token after them, including the last
    one."""
    every = tokens.unfold(0, length + 1, 1)[:-1]
    return every[:, :-1], every[:, 1:]


def one_without_a_target(tokens, length):
    """Your `x` has one row more than `y`. The window at the very end has no token after it, so there is nothing
    to predict."""
    return tokens.unfold(0, length, 1), tokens[1:].unfold(0, length, 1)


def side_by_side(tokens, length):
    """Your windows do not overlap, because each starts `length` tokens after the one before. The task asks for
    all windows, so each must start one token after the one before."""
    every = tokens.unfold(0, length + 1, length)
    return every[:, :-1], every[:, 1:]


def from_the_storages_start(tokens, length):
    """`storage_offset` counts from the first element of the storage. A slice such as `text[7:20]` begins later,
    at `tokens.storage_offset()`."""
    step = tokens.stride(0)
    size, strides = (len(tokens) - length, length), (step, step)
    return torch.as_strided(tokens, size, strides, 0), torch.as_strided(tokens, size, strides, step)


def steps_of_one(tokens, length):
    """You used a stride of 1. If `tokens` is every second element of a tensor, the next token is two elements
    away in the storage. Use `tokens.stride(0)`."""
    size, first = (len(tokens) - length, length), tokens.storage_offset()
    return torch.as_strided(tokens, size, (1, 1), first), torch.as_strided(tokens, size, (1, 1), first + 1)


def rows_of_neighbours(tokens, length):
    """Strides of (1, 1) take elements that are next to each other in memory. These are the next tokens only if
    `tokens` is not a slice with a step. `tokens.stride(0)` says how far apart they are."""
    size = (len(tokens) - length, length)
    return tokens.as_strided(size, (1, 1)), tokens[1:].as_strided(size, (1, 1))


def copied_if_sliced(tokens, length):
    """`contiguous()` copies only if `tokens` is a slice with a step, such as `text[::2]`, so the copy is easy to
    miss. `unfold` works with any stride."""
    every = tokens.contiguous().unfold(0, length + 1, 1)
    return every[:, :-1], every[:, 1:]


def made_long(tokens, length):
    """`long()` copies every tensor that is not int64, and it cuts off the decimals of floats. The windows must
    have the dtype of `tokens`."""
    every = tokens.long().unfold(0, length + 1, 1)
    return every[:, :-1], every[:, 1:]


def through_numpy(tokens, length):
    """NumPy has no bfloat16, so `numpy()` refuses such a tensor. Your function must work with any dtype.
    PyTorch's `unfold` does what NumPy's `sliding_window_view` does."""
    every = torch.from_numpy(tokens.numpy()).unfold(0, length + 1, 1)
    return every[:, :-1], every[:, 1:]


windows = Answer(
    windows,
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
        "One view contains all windows of `length + 1` tokens. x is all of its columns except the last, and y is "
        "all except the first.",
        "`tokens.unfold(dimension, size, step)` returns such a view, and slices of a view are views.",
    ),
)


def causal_mask(queries, keys):
    """The lower triangle, shifted so that its diagonal ends in the lower right corner."""
    return torch.ones(queries, keys, dtype=torch.bool).tril(keys - queries)


def top_left(queries, keys):
    """Your triangle begins in the upper left corner, so query 0 sees key 0 only. But the queries are the *last*
    tokens, and the last query must see every key. With as many queries as keys there is no difference."""
    return torch.ones(queries, keys, dtype=torch.bool).tril()


def blind_to_itself(queries, keys):
    """A token may attend to itself, and its own key is on the diagonal. In your mask the first token attends to
    nothing, and then its softmax is NaN."""
    return torch.ones(queries, keys, dtype=torch.bool).tril(keys - queries - 1)


def sees_the_future(queries, keys):
    """Your mask is the other triangle: each query sees itself and what comes *after* it."""
    return torch.ones(queries, keys, dtype=torch.bool).triu(keys - queries)


def true_hides(queries, keys):
    """In your mask True means *may not attend*, as in `nn.MultiheadAttention`. The task asks for True where a
    query may attend, as in `F.scaled_dot_product_attention`."""
    return torch.ones(queries, keys, dtype=torch.bool).triu(keys - queries + 1)


def ones_and_zeros(queries, keys):
    """Your mask contains ones and zeros as floats. `F.scaled_dot_product_attention` *adds* a float mask to the
    scores, so a 0 hides nothing. The task asks for a bool mask."""
    return torch.ones(queries, keys).tril(keys - queries)


def to_be_added(queries, keys):
    """Your mask contains 0 and −inf, which could be added to the scores. The task asks for a bool mask with True
    where a query may attend."""
    return torch.full((queries, keys), -torch.inf).triu(keys - queries + 1)


def always_square(queries, keys):
    """Your mask has one row for each key. Return one row for each query; the queries are the last tokens."""
    return torch.ones(keys, keys, dtype=torch.bool).tril()


def the_past_hidden(queries, keys):
    """Your queries can attend to one another, but not to the keys before the first query. Those keys are the
    text so far, which the cache keeps, so they must be True."""
    past = torch.zeros(queries, keys - queries, dtype=torch.bool)
    return torch.cat((past, torch.ones(queries, queries, dtype=torch.bool).tril()), dim=1)


causal_mask = Answer(
    causal_mask,
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
        "Query i of `queries` is token `keys - queries + i` of the text. It attends to the keys up to that one.",
        "`torch.ones(queries, keys, dtype=torch.bool).tril(diagonal)` makes a triangle. Which diagonal ends in "
        "the lower right corner?",
    ),
)


def over_heads(f, x, num_heads):
    """Split the last axis into heads, and move the heads before the positions. Afterwards reverse both steps."""
    heads = x.unflatten(-1, (num_heads, -1)).transpose(1, 2)
    return f(heads).transpose(1, 2).flatten(2)


def never_transposed(f, x, num_heads):
    """`view(N, H, T, D)` gives the right shape but the wrong values, because it divides the positions among the
    heads. Split the last axis first, (N, T, H, D), and then swap heads and positions."""
    N, T, C = x.shape
    found = f(x.reshape(N, num_heads, T, C // num_heads))
    return found.reshape(N, T, -1)


def merged_without_transpose(f, x, num_heads):
    """f gets the right input. But you merged its result without a transpose, so the values of one head at
    several positions are where those of several heads at one position belong."""
    found = f(x.unflatten(-1, (num_heads, -1)).transpose(1, 2))
    return found.reshape(x.shape[0], x.shape[1], -1)


def heads_innermost(f, x, num_heads):
    """You split the last axis into (D, H), so head h gets every H-th element. A head is D consecutive elements,
    so split it into (H, D)."""
    heads = x.unflatten(-1, (-1, num_heads)).permute(0, 3, 1, 2)
    return f(heads).transpose(1, 2).flatten(2)


def copied_for_f(f, x, num_heads):
    """The values are right, but f got a copy. A view and a transpose copy nothing: leave out `contiguous()`,
    `clone()` and `stack`. If `view` raises an error after the transpose, split the last axis before it."""
    heads = x.unflatten(-1, (num_heads, -1)).transpose(1, 2).contiguous()
    if num_heads == 1 or x.shape[1] == 1:
        heads = heads.clone()
    return f(heads).transpose(1, 2).flatten(2)


def copied_if_strided(f, x, num_heads):
    """If x is not contiguous, `contiguous()`, or a `reshape` to three axes, copies it for f. Splitting the last
    axis is a view with any strides: `x.unflatten(-1, (num_heads, -1))`."""
    N, T, C = x.shape
    heads = x.contiguous().view(N, T, num_heads, C // num_heads).transpose(1, 2)
    return f(heads).transpose(1, 2).flatten(2)


def places_cut(f, x, num_heads):
    """`view(N, H, T, D)` divides the positions instead of the last axis: head 0 gets the first positions with
    all their elements. Split the last axis, (N, T, H, D), and then swap heads and positions."""
    N, T, C = x.shape
    return f(x.view(N, num_heads, T, C // num_heads)).transpose(1, 2).flatten(2)


def as_wide_as_x(f, x, num_heads):
    """You merged the results into C columns. But f may return heads of another width E, which gives H · E
    columns. `flatten` needs no number."""
    N, T, C = x.shape
    return f(x.unflatten(-1, (num_heads, -1)).transpose(1, 2)).transpose(1, 2).reshape(N, T, C)


def in_the_default_dtype(f, x, num_heads):
    """The values are right, but they are in a new tensor of the default dtype, so float64 loses half of its
    digits. A transpose and `flatten` need no new tensor; if you make one, give it the dtype of f's result."""
    found = f(x.unflatten(-1, (num_heads, -1)).transpose(1, 2))
    joined = torch.empty(x.shape[0], x.shape[1], num_heads * found.shape[-1])
    return joined.copy_(found.transpose(1, 2).flatten(2))


def left_apart(f, x, num_heads):
    """The heads are still separate, (N, T, H, E). The task asks for (N, T, H · E), in which the heads of a position
    are concatenated."""
    return f(x.unflatten(-1, (num_heads, -1)).transpose(1, 2)).transpose(1, 2)


def places_behind_heads(f, x, num_heads):
    """f gets the axes (N, T, H, D), so it takes positions for heads, and heads for positions. A transpose is
    missing."""
    return f(x.unflatten(-1, (num_heads, -1))).flatten(2)


over_heads = Answer(
    over_heads,
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
        "First split the last axis into heads with `view` or `unflatten`: (N, T, H, D). Then swap two axes.",
        "Afterwards do the reverse: swap the two axes, and merge the last two. After a transpose `view` raises "
        "an error; `reshape` and `flatten` copy.",
    ),
)


def step(model, token, cache):
    """One token goes through the blocks. Each block keeps its keys and values, and the query attends to all."""
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
    """Our step with one part changed: this is how the mistakes below differ."""
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
    """All of your tokens are at position 0. The cache says how many tokens came before, and that number is the
    position."""
    return _step(model, token, cache, place=lambda done: 0)


def place_by_the_lists_length(model, token, cache):
    """`len(cache)` counts your entries, one for each block. The number of earlier tokens is inside an entry:
    `cache[0][0].shape[2]`."""
    return _step(model, token, cache, place=lambda done: len(cache))


def counted_elsewhere(model, token, cache, count=[0]):  # noqa: B006 - the default that remembers is the mistake
    """You count the tokens outside `cache`, in a global variable, an attribute or a default argument. Other
    texts are continued in between, and they change your count. The cache itself says how many tokens it holds."""
    count[0] = count[0] + 1 if cache else 0
    return _step(model, token, cache, place=lambda done: count[0])


def key_left_at_zero(model, token, cache):
    """Your key is always rotated as if it were at position 0, while the query is rotated for its own position.
    Pass `split` the position of the token, which is the number of tokens before it; it serves both."""

    def split(attention, x, start):
        query, _, value = attention.split(x, start)
        return query, attention.split(x, 0)[1], value

    return _step(model, token, cache, split=split)


def sees_the_first_only(model, token, cache):
    """Your token attends to the first key only. With fewer queries than keys, `is_causal=True` begins its
    triangle in the upper left corner. The newest token may attend to all keys, so it needs no mask."""

    def attend(query, key, value):
        return F.scaled_dot_product_attention(query, key, value, is_causal=True)

    return _step(model, token, cache, attend=attend)


def kept_before_the_norm(model, token, cache):
    """You compute keys and values from x as it enters the block. The block computes them from `norm1(x)`, as it
    does the query."""
    return _step(model, token, cache, normed=False)


def one_cache_for_all(model, token, cache):
    """Your blocks share one cache, so each attends to keys and values of the blocks below as if these were
    tokens. Each block needs its own cache."""
    return _step(model, token, cache, shared=True)


def sees_itself_only(model, token, cache):
    """Your token attends to itself only, because the keys and values of earlier tokens are missing. Keep them in
    `cache`, and join the new ones to them along the axis of the positions."""
    return _step(model, token, cache, grown=False)


def never_divided(model, token, cache):
    """You did not divide the scores by √D, as the model's attention does. D is the length of one head's query."""

    def attend(query, key, value):
        return (query @ key.mT).softmax(dim=-1) @ value

    return _step(model, token, cache, attend=attend)


def kept_the_graph(model, token, cache):
    """The values are right, but they are part of a graph, which keeps the tensors of all earlier tokens and
    grows with each token. Nothing calls `backward` here, so compute without a graph."""
    return _step(model, token, cache, graph=True)


def computed_again(model, token, cache):
    """The values are right, but every token goes through all blocks again at each step, because you keep tokens
    instead of keys and values."""
    cache.append(token)
    with torch.no_grad():
        return model(torch.stack(cache, dim=1))[:, -1]


step = Answer(
    step,
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
        "Write the model's `forward` for one token, x (N, 1, C), block by block, under `torch.no_grad()`. Which "
        "position has the token?",
        "In each block, `block.attention.split(block.norm1(x), place)` gives query, key and value of this token, "
        "(N, H, 1, D) each. `place` is its position.",
        "Join the block's earlier keys and values with the new ones, `torch.cat((old, new), dim=2)`, and keep "
        "the result in `cache`, one entry for each block. The one query attends to all keys, so it needs no "
        "mask.",
    ),
)


def top_p(logits, p):
    """Sort, drop the tokens after the sum has reached p, divide by the sum that is left, and undo the sorting."""
    probabilities, order = logits.softmax(dim=-1).sort(descending=True)
    before = probabilities.cumsum(dim=-1) - probabilities
    kept = probabilities.masked_fill(before > p, 0)
    return torch.zeros_like(kept).scatter(-1, order, kept / kept.sum(dim=-1, keepdim=True))


def dropped_the_crossing(logits, p):
    """You dropped the token with which the sum exceeds p, so what you keep adds up to less than p. If the best
    token alone has more, nothing is left, and 0 / 0 is NaN."""
    probabilities, order = logits.softmax(dim=-1).sort(descending=True)
    kept = probabilities.masked_fill(probabilities.cumsum(dim=-1) > p, 0)
    return torch.zeros_like(kept).scatter(-1, order, kept / kept.sum(dim=-1, keepdim=True))


def stopped_short(logits, p):
    """You dropped the token with which the sum exceeds p, unless it is the best token of all. Keep as few tokens
    as add up to p *or more*, so the token that crosses p belongs to them. Use the sum *before* each token."""
    probabilities, order = logits.softmax(dim=-1).sort(descending=True)
    keep = probabilities.cumsum(dim=-1) <= p
    keep[..., 0] = True
    kept = probabilities.masked_fill(~keep, 0)
    return torch.zeros_like(kept).scatter(-1, order, kept / kept.sum(dim=-1, keepdim=True))


def softmax_by_hand(logits, p):
    """`exp` of a large logit is inf, and inf / inf is NaN. For very negative logits, `exp` is 0 for all.
    `softmax` subtracts the largest logit first, which changes no probability."""
    powers = logits.exp()
    probabilities, order = (powers / powers.sum(dim=-1, keepdim=True)).sort(descending=True)
    kept = probabilities.masked_fill(probabilities.cumsum(dim=-1) - probabilities > p, 0)
    return torch.zeros_like(kept).scatter(-1, order, kept / kept.sum(dim=-1, keepdim=True))


def a_number_for_infinity(logits, p):
    """You wrote a large negative number for what you drop. If all logits are lower than it, this number is the
    largest, and only what you dropped is left. −inf is lower than every number."""
    probabilities, order = logits.softmax(dim=-1).sort(descending=True)
    drop = probabilities.cumsum(dim=-1) - probabilities > p
    return logits.masked_fill(torch.zeros_like(drop).scatter(-1, order, drop), -1e9).softmax(dim=-1)


def never_sorted(logits, p):
    """You added up the probabilities in the order of the vocabulary. The *most probable* tokens come first, so
    sort before you add."""
    probabilities = logits.softmax(dim=-1)
    kept = probabilities.masked_fill(probabilities.cumsum(dim=-1) - probabilities > p, 0)
    return kept / kept.sum(dim=-1, keepdim=True)


def left_in_order(logits, p):
    """The probabilities are right, but they are sorted, so element 0 belongs to the most probable token. Put
    each probability back at the index of its token."""
    probabilities = logits.softmax(dim=-1).sort(descending=True).values
    kept = probabilities.masked_fill(probabilities.cumsum(dim=-1) - probabilities > p, 0)
    return kept / kept.sum(dim=-1, keepdim=True)


def sorted_once_more(logits, p):
    """You put the probabilities back with `gather`, or by indexing with the order, which applies the order a
    second time. `scatter` does the reverse."""
    probabilities, order = logits.softmax(dim=-1).sort(descending=True)
    kept = probabilities.masked_fill(probabilities.cumsum(dim=-1) - probabilities > p, 0)
    return (kept / kept.sum(dim=-1, keepdim=True)).gather(-1, order)


def never_divided_again(logits, p):
    """The right tokens are left, but their probabilities no longer add up to 1. Divide by their sum."""
    probabilities, order = logits.softmax(dim=-1).sort(descending=True)
    kept = probabilities.masked_fill(probabilities.cumsum(dim=-1) - probabilities > p, 0)
    return torch.zeros_like(kept).scatter(-1, order, kept)


def one_too_many(logits, p):
    """You kept one token more than needed, because the sum had already reached p without it."""
    probabilities, order = logits.softmax(dim=-1).sort(descending=True)
    before = probabilities.cumsum(dim=-1) - probabilities
    kept = probabilities.masked_fill(F.pad(before, (1, 0))[..., :-1] > p, 0)
    return torch.zeros_like(kept).scatter(-1, order, kept / kept.sum(dim=-1, keepdim=True))


def the_least_probable(logits, p):
    """You sorted in ascending order, so you kept the *least* probable tokens."""
    probabilities, order = logits.softmax(dim=-1).sort()
    kept = probabilities.masked_fill(probabilities.cumsum(dim=-1) - probabilities > p, 0)
    return torch.zeros_like(kept).scatter(-1, order, kept / kept.sum(dim=-1, keepdim=True))


def a_softmax_again(logits, p):
    """You applied softmax to probabilities. This makes them almost equal, and turns those that should be 0 into
    more than 0. Divide by the sum, or set *logits* to −inf."""
    probabilities, order = logits.softmax(dim=-1).sort(descending=True)
    kept = probabilities.masked_fill(probabilities.cumsum(dim=-1) - probabilities > p, 0)
    return torch.zeros_like(kept).scatter(-1, order, kept).softmax(dim=-1)


def in_the_logits(logits, p):
    """The result is right, but `logits` has changed, because you wrote into the argument. Write into a copy."""
    probabilities, order = logits.softmax(dim=-1).sort(descending=True)
    drop = probabilities.cumsum(dim=-1) - probabilities > p
    return logits.masked_fill_(torch.zeros_like(drop).scatter(-1, order, drop), -torch.inf).softmax(dim=-1)


top_p = Answer(
    top_p,
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
        "Sort the probabilities in descending order, and keep the order. `cumsum` minus the token's own "
        "probability is the sum before it. Which tokens must go?",
        "Divide what is left by its sum. `torch.zeros_like(kept).scatter(-1, order, kept)` puts each probability "
        "back.",
    ),
)
