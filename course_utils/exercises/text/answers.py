"""Our answers to the questions of chapter 13: references, known mistakes and hints.

The docstring of a mistake is what a learner reads who makes it. A submission that is graded never sees this file.
"""

import torch
import torch.nn.functional as F

from course_utils.exercises.text.questions import _Attention
from lessonkit.checks.answer import Answer


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
    """Your windows do not overlap: each starts a whole length after the one before. The task asks for all windows,
    so each starts one token after the one before."""
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
    """NumPy has no bfloat16, so `numpy()` refuses such a tensor. Your function must take any dtype. PyTorch's
    `unfold` does what NumPy's `sliding_window_view` does."""
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
        "One view holds all windows of `length + 1` tokens: x is its first columns, y its last ones.",
        "`tokens.unfold(dimension, size, step)` is such a view; slices of a view are views.",
    ),
)


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
    """In your mask True means *may not attend*, as in `nn.MultiheadAttention`. The task asks for True where a query
    may attend, which is how `F.scaled_dot_product_attention` reads a mask."""
    return torch.ones(queries, keys, dtype=torch.bool).triu(keys - queries + 1)


def ones_and_zeros(queries, keys):
    """Your mask holds ones and zeros as floats. `F.scaled_dot_product_attention` *adds* a float mask to the
    scores, so a 0 hides nothing. The task asks for a bool mask."""
    return torch.ones(queries, keys).tril(keys - queries)


def to_be_added(queries, keys):
    """Your mask holds 0 and −inf, which could be added to the scores. The task asks for a bool mask: True where a
    query may attend."""
    return torch.full((queries, keys), -torch.inf).triu(keys - queries + 1)


def always_square(queries, keys):
    """Your mask has a row for each key. Return a row for each query; the queries are the last rows."""
    return torch.ones(keys, keys, dtype=torch.bool).tril()


def the_past_hidden(queries, keys):
    """Your queries see one another, and none of the keys before the first of them. Those are the text so far, which
    the cache is for: True."""
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
        "Query i of `queries` is letter `keys - queries + i` of the text: it sees the keys up to that one.",
        "`torch.ones(queries, keys, dtype=torch.bool).tril(diagonal)`: which diagonal ends in the lower right "
        "corner?",
    ),
)


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
    """The heads are still separate, (N, T, H, E). The task asks for (N, T, H · E), in which the heads of a position
    are concatenated."""
    return f(x.unflatten(-1, (num_heads, -1)).transpose(1, 2)).transpose(1, 2)


def places_behind_heads(f, x, num_heads):
    """What f gets has the axes (N, T, H, D): for f the places are heads, and the heads places. A transpose is
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
        "First split the last axis into heads: (N, T, H, D), by `view` or `unflatten`. Then swap two axes.",
        "The way back is the same in reverse: swap the two axes, then join the last two. After a transpose `view` "
        "refuses; `reshape` and `flatten` copy.",
    ),
)


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
        "Write the net's `forward` for one letter, x (N, 1, C), block by block, under `torch.no_grad()`. Which "
        "place has the letter?",
        "In each block `block.attention.split(block.norm1(x), place)` gives query, key and value of this letter, "
        "(N, H, 1, D) each.",
        "Join this block's earlier keys and values to the new ones, `torch.cat((old, new), dim=2)`, and keep the "
        "result in `cache`, an entry for each block. The one query sees all keys: no mask.",
    ),
)


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
        "Sort the probabilities downwards and keep the order. `cumsum` less the letter's own is the sum before it: "
        "which letters go?",
        "Divide what is left by its sum. `torch.zeros_like(kept).scatter(-1, order, kept)` puts each back.",
    ),
)
