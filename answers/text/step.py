# %% right_lists: Lists of parts for each block, joined when needed.
import torch
import torch.nn.functional as F


def step(model, token, cache):
    with torch.inference_mode():
        if not cache:
            cache.extend({"k": [], "v": []} for _ in model.blocks)
        t = len(cache[0]["k"])
        x = model.letters(token)
        x = x.unsqueeze(1)
        for block, kept in zip(model.blocks, cache):
            q, k, v = block.attention.split(block.norm1(x), t)
            kept["k"].append(k)
            kept["v"].append(v)
            out = F.scaled_dot_product_attention(q, torch.cat(kept["k"], 2), torch.cat(kept["v"], 2))
            x = x + block.attention.join(out)
            x = x + block.mlp(block.norm2(x))
        return model.head(model.norm(x)).squeeze(1)


# %% right_buffers: Tensors for the whole context, made at the first letter, and a counter.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    if not cache:
        heads = model.blocks[0].attention.num_heads
        width = model.letters.embedding_dim
        shape = (len(model.blocks), 2, len(token), heads, model.context, width // heads)
        cache.append(torch.zeros(shape, dtype=model.letters.weight.dtype))
        cache.append(0)
    room, t = cache
    x = model.letters(token)[:, None]
    for number, block in enumerate(model.blocks):
        q, k, v = block.attention.split(block.norm1(x), t)
        room[number, 0, :, :, t : t + 1] = k
        room[number, 1, :, :, t : t + 1] = v
        x = x + block.attention.join(
            F.scaled_dot_product_attention(q, room[number, 0, :, :, : t + 1], room[number, 1, :, :, : t + 1])
        )
        x = x + block.mlp(block.norm2(x))
    cache[1] = t + 1
    return model.head(model.norm(x[:, 0]))


# %% right_by_hand: Attention written out, keys and values stacked over the letters.
import torch
import torch.nn.functional as F


def step(model, token, cache):
    place = len(cache)
    with torch.no_grad():
        x = model.letters(token)[:, None, :]
        mine = []
        for number, block in enumerate(model.blocks):
            attention = block.attention
            N, _, C = x.shape
            q, k, v = attention.split(block.norm1(x), place)
            mine.append((k, v))
            keys = torch.cat([letter[number][0] for letter in cache] + [k], dim=2)
            values = torch.cat([letter[number][1] for letter in cache] + [v], dim=2)
            weights = (q @ keys.transpose(-1, -2) / q.shape[-1] ** 0.5).softmax(-1)
            x = x + attention.out((weights @ values).transpose(1, 2).reshape(N, 1, C))
            x = x + block.mlp(block.norm2(x))
        cache.append(mine)
        return model.head(model.norm(x))[:, -1]


# %% wrong_place_zero: The net's own beginning: places from 0.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    place = 0
    x = model.letters(token[:, None])
    for number, block in enumerate(model.blocks):
        q, k, v = block.attention.split(block.norm1(x), place)
        if number < len(cache):
            k = torch.cat([cache[number][0], k], dim=2)
            v = torch.cat([cache[number][1], v], dim=2)
            cache[number] = (k, v)
        else:
            cache.append((k, v))
        a = F.scaled_dot_product_attention(q, k, v)
        x = x + block.attention.join(a)
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% wrong_place_is_blocks: The number of entries, which is that of the blocks.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    place = len(cache)
    x = model.letters(token[:, None])
    for number, block in enumerate(model.blocks):
        q, k, v = block.attention.split(block.norm1(x), place)
        if number < len(cache):
            k = torch.cat([cache[number][0], k], dim=2)
            v = torch.cat([cache[number][1], v], dim=2)
            cache[number] = (k, v)
        else:
            cache.append((k, v))
        a = F.scaled_dot_product_attention(q, k, v)
        x = x + block.attention.join(a)
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% wrong_is_causal: The training call copied.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    place = len(cache[0][0][0, 0]) if cache else 0
    x = model.letters(token[:, None])
    for number, block in enumerate(model.blocks):
        q, k, v = block.attention.split(block.norm1(x), place)
        if number < len(cache):
            k = torch.cat([cache[number][0], k], dim=2)
            v = torch.cat([cache[number][1], v], dim=2)
            cache[number] = (k, v)
        else:
            cache.append((k, v))
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + block.attention.join(a)
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% wrong_no_norm: Keys, values and query of x itself.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    place = len(cache[0][0][0, 0]) if cache else 0
    x = model.letters(token[:, None])
    for number, block in enumerate(model.blocks):
        q, k, v = block.attention.split(x, place)
        if number < len(cache):
            k = torch.cat([cache[number][0], k], dim=2)
            v = torch.cat([cache[number][1], v], dim=2)
            cache[number] = (k, v)
        else:
            cache.append((k, v))
        a = F.scaled_dot_product_attention(q, k, v)
        x = x + block.attention.join(a)
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% wrong_second_norm: The other norm.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    place = len(cache[0][0][0, 0]) if cache else 0
    x = model.letters(token[:, None])
    for number, block in enumerate(model.blocks):
        q, k, v = block.attention.split(block.norm2(x), place)
        if number < len(cache):
            k = torch.cat([cache[number][0], k], dim=2)
            v = torch.cat([cache[number][1], v], dim=2)
            cache[number] = (k, v)
        else:
            cache.append((k, v))
        a = F.scaled_dot_product_attention(q, k, v)
        x = x + block.attention.join(a)
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% wrong_no_residual: The row is replaced by what attention found.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    place = len(cache[0][0][0, 0]) if cache else 0
    x = model.letters(token[:, None])
    for number, block in enumerate(model.blocks):
        q, k, v = block.attention.split(block.norm1(x), place)
        if number < len(cache):
            k = torch.cat([cache[number][0], k], dim=2)
            v = torch.cat([cache[number][1], v], dim=2)
            cache[number] = (k, v)
        else:
            cache.append((k, v))
        a = F.scaled_dot_product_attention(q, k, v)
        x = block.attention.join(a)
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% wrong_graph: Nobody said no_grad.
import torch
import torch.nn.functional as F


def step(model, token, cache):
    place = len(cache[0][0][0, 0]) if cache else 0
    x = model.letters(token[:, None])
    for number, block in enumerate(model.blocks):
        q, k, v = block.attention.split(block.norm1(x), place)
        if number < len(cache):
            k = torch.cat([cache[number][0], k], dim=2)
            v = torch.cat([cache[number][1], v], dim=2)
            cache[number] = (k, v)
        else:
            cache.append((k, v))
        a = F.scaled_dot_product_attention(q, k, v)
        x = x + block.attention.join(a)
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% wrong_shared: One pair of keys and values for all blocks.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    place = cache[0][0].shape[2] // len(model.blocks) if cache else 0
    x = model.letters(token[:, None])
    for number, block in enumerate(model.blocks):
        q, k, v = block.attention.split(block.norm1(x), place)
        if cache:
            k = torch.cat([cache[0][0], k], dim=2)
            v = torch.cat([cache[0][1], v], dim=2)
            cache[0] = (k, v)
        else:
            cache.append((k, v))
        a = F.scaled_dot_product_attention(q, k, v)
        x = x + block.attention.join(a)
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% wrong_never_written: Joined for this letter, but the cache keeps the first one only.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    place = cache[-1] if cache else 0
    x = model.letters(token[:, None])
    for number, block in enumerate(model.blocks):
        q, k, v = block.attention.split(block.norm1(x), place)
        if number < len(cache) - 1:
            k = torch.cat([cache[number][0], k], dim=2)
            v = torch.cat([cache[number][1], v], dim=2)
        else:
            if number == 0:
                cache.append(0)
            cache.insert(number, (k, v))
        a = F.scaled_dot_product_attention(q, k, v)
        x = x + block.attention.join(a)
        x = x + block.mlp(block.norm2(x))
    cache[-1] += 1
    return model.head(model.norm(x))[:, 0]


# %% wrong_values_first: Keys and values exchanged when joined.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    place = len(cache[0][0][0, 0]) if cache else 0
    x = model.letters(token[:, None])
    for number, block in enumerate(model.blocks):
        q, k, v = block.attention.split(block.norm1(x), place)
        if number < len(cache):
            k, v = torch.cat([cache[number][1], k], dim=2), torch.cat([cache[number][0], v], dim=2)
            cache[number] = (k, v)
        else:
            cache.append((k, v))
        a = F.scaled_dot_product_attention(q, k, v)
        x = x + block.attention.join(a)
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% wrong_new_first: New keys before the old ones, values behind.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    place = len(cache[0][0][0, 0]) if cache else 0
    x = model.letters(token[:, None])
    for number, block in enumerate(model.blocks):
        q, k, v = block.attention.split(block.norm1(x), place)
        if number < len(cache):
            k = torch.cat([k, cache[number][0]], dim=2)
            v = torch.cat([cache[number][1], v], dim=2)
            cache[number] = (k, v)
        else:
            cache.append((k, v))
        a = F.scaled_dot_product_attention(q, k, v)
        x = x + block.attention.join(a)
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% wrong_along_the_batch: Joined along the texts.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    place = len(cache[0][0]) // len(token) if cache else 0
    x = model.letters(token[:, None])
    for number, block in enumerate(model.blocks):
        q, k, v = block.attention.split(block.norm1(x), place)
        if number < len(cache):
            k = torch.cat([cache[number][0], k])
            v = torch.cat([cache[number][1], v])
            cache[number] = (k, v)
        else:
            cache.append((k, v))
        a = F.scaled_dot_product_attention(q, k, v)
        x = x + block.attention.join(a)
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% wrong_global: Kept in a list of the cell, not in the one that is handed in.
import torch
import torch.nn.functional as F


kept = []


@torch.no_grad()
def step(model, token, cache):
    cache.append(token)
    if len(cache) == 1:
        kept.clear()
    place = len(cache) - 1
    x = model.letters(token)[:, None]
    for number, block in enumerate(model.blocks):
        q, k, v = block.attention.split(block.norm1(x), place)
        if number < len(kept):
            k = torch.cat([kept[number][0], k], dim=2)
            v = torch.cat([kept[number][1], v], dim=2)
            kept[number] = k, v
        else:
            kept.append((k, v))
        x = x + block.attention.join(F.scaled_dot_product_attention(q, k, v))
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% wrong_all_again: Letters kept, everything computed anew.
import torch


@torch.no_grad()
def step(model, token, cache):
    cache.append(token)
    return model(torch.stack(cache, 1))[:, -1]


# %% wrong_three_axes: The place is left in the result.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    place = len(cache[0][0][0, 0]) if cache else 0
    x = model.letters(token[:, None])
    for number, block in enumerate(model.blocks):
        q, k, v = block.attention.split(block.norm1(x), place)
        if number < len(cache):
            k = torch.cat([cache[number][0], k], dim=2)
            v = torch.cat([cache[number][1], v], dim=2)
            cache[number] = (k, v)
        else:
            cache.append((k, v))
        a = F.scaled_dot_product_attention(q, k, v)
        x = x + block.attention.join(a)
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))


# %% wrong_last_norm_left_out: Straight to the scores.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    place = len(cache[0][0][0, 0]) if cache else 0
    x = model.letters(token[:, None])
    for number, block in enumerate(model.blocks):
        q, k, v = block.attention.split(block.norm1(x), place)
        if number < len(cache):
            k = torch.cat([cache[number][0], k], dim=2)
            v = torch.cat([cache[number][1], v], dim=2)
            cache[number] = (k, v)
        else:
            cache.append((k, v))
        a = F.scaled_dot_product_attention(q, k, v)
        x = x + block.attention.join(a)
        x = x + block.mlp(block.norm2(x))
    return model.head(x)[:, 0]


# %% wrong_half_a_block: The two layers of a block are left out.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    place = len(cache[0][0][0, 0]) if cache else 0
    x = model.letters(token[:, None])
    for number, block in enumerate(model.blocks):
        q, k, v = block.attention.split(block.norm1(x), place)
        if number < len(cache):
            k = torch.cat([cache[number][0], k], dim=2)
            v = torch.cat([cache[number][1], v], dim=2)
            cache[number] = (k, v)
        else:
            cache.append((k, v))
        a = F.scaled_dot_product_attention(q, k, v)
        x = x + block.attention.join(a)
        x = block.norm2(x)
    return model.head(model.norm(x))[:, 0]


# %% wrong_window: Keeps the last four letters only.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    place = cache[-1] if cache else 0
    x = model.letters(token[:, None])
    for number, block in enumerate(model.blocks):
        q, k, v = block.attention.split(block.norm1(x), place)
        if number < len(cache) - 1:
            k = torch.cat([cache[number][0], k], dim=2)[:, :, -4:]
            v = torch.cat([cache[number][1], v], dim=2)[:, :, -4:]
            cache[number] = (k, v)
        else:
            if number == 0:
                cache.append(0)
            cache.insert(number, (k, v))
        a = F.scaled_dot_product_attention(q, k, v)
        x = x + block.attention.join(a)
        x = x + block.mlp(block.norm2(x))
    cache[-1] += 1
    return model.head(model.norm(x))[:, 0]


# %% right_one_pair_per_block: Concatenated keys and values, an entry for each block.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    x = model.letters(token)[:, None]
    for i, block in enumerate(model.blocks):
        start = cache[i][0].shape[2] if i < len(cache) else 0
        query, key, value = block.attention.split(block.norm1(x), start)
        if i < len(cache):
            key = torch.cat((cache[i][0], key), dim=2)
            value = torch.cat((cache[i][1], value), dim=2)
            cache[i] = (key, value)
        else:
            cache.append((key, value))
        x = x + block.attention.join(F.scaled_dot_product_attention(query, key, value))
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% right_one_entry_per_letter: An entry for each letter, attention by hand.
import torch


def step(model, token, cache):
    with torch.no_grad():
        place = len(cache)
        this_letter = []
        cache.append(this_letter)
        x = model.letters(token.unsqueeze(1))  # (N, 1, C)
        for number, block in enumerate(model.blocks):
            query, key, value = block.attention.split(block.norm1(x), place)
            this_letter.append((key, value))
            keys = torch.cat([letter[number][0] for letter in cache], dim=2)
            values = torch.cat([letter[number][1] for letter in cache], dim=2)
            scores = query @ keys.transpose(-2, -1) / query.shape[-1] ** 0.5  # (N, H, 1, T)
            heads = scores.softmax(dim=-1) @ values  # (N, H, 1, D)
            x = x + block.attention.out(heads.transpose(1, 2).flatten(2))
            x = x + block.mlp(block.norm2(x))
        return model.head(model.norm(x)).squeeze(1)


# %% right_room_for_context: Room for the whole context, filled in place.
import torch
import torch.nn.functional as F


def step(model, token, cache):
    with torch.no_grad():
        if not cache:
            cache.append({"place": 0, "rooms": {}})
        state = cache[0]
        place, rooms = state["place"], state["rooms"]
        x = model.letters(token)[:, None, :]
        for i, block in enumerate(model.blocks):
            query, key, value = block.attention.split(block.norm1(x), place)
            if i not in rooms:
                N, H, _, D = key.shape
                rooms[i] = (key.new_zeros(N, H, model.context, D), value.new_zeros(N, H, model.context, D))
            keys, values = rooms[i]
            keys[:, :, place] = key[:, :, 0]
            values[:, :, place] = value[:, :, 0]
            heads = F.scaled_dot_product_attention(query, keys[:, :, : place + 1], values[:, :, : place + 1])
            x = x + block.attention.join(heads)
            x = x + block.mlp(block.norm2(x))
        state["place"] = place + 1
        return model.head(model.norm(x))[:, -1]


# %% wrong_whole_text_again: Keeps the letters and runs all of them each time.
import torch


@torch.no_grad()
def step(model, token, cache):
    cache.append(token)
    return model(torch.stack(cache, dim=1))[:, -1]


# %% wrong_new_list: Binds the name anew, the caller's list stays empty.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    if not cache:
        cache = [None] * len(model.blocks)
    x = model.letters(token)[:, None]
    for i, block in enumerate(model.blocks):
        start = 0 if cache[i] is None else cache[i][0].shape[2]
        query, key, value = block.attention.split(block.norm1(x), start)
        if cache[i] is not None:
            key = torch.cat((cache[i][0], key), dim=2)
            value = torch.cat((cache[i][1], value), dim=2)
        cache[i] = (key, value)
        x = x + block.attention.join(F.scaled_dot_product_attention(query, key, value))
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% wrong_is_causal_2: With one query is_causal shows only the first key.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    x = model.letters(token)[:, None]
    first = not cache
    for i, block in enumerate(model.blocks):
        start = 0 if first else cache[i][0].shape[2]
        query, key, value = block.attention.split(block.norm1(x), start)
        if first:
            cache.append((key, value))
        else:
            key = torch.cat((cache[i][0], key), dim=2)
            value = torch.cat((cache[i][1], value), dim=2)
            cache[i] = (key, value)
        x = x + block.attention.join(F.scaled_dot_product_attention(query, key, value, is_causal=True))
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% wrong_with_graph: No no_grad, the logits have a graph.
import torch
import torch.nn.functional as F


def step(model, token, cache):
    x = model.letters(token)[:, None]
    first = not cache
    for i, block in enumerate(model.blocks):
        start = 0 if first else cache[i][0].shape[2]
        query, key, value = block.attention.split(block.norm1(x), start)
        if first:
            cache.append((key, value))
        else:
            key = torch.cat((cache[i][0], key), dim=2)
            value = torch.cat((cache[i][1], value), dim=2)
            cache[i] = (key, value)
        x = x + block.attention.join(F.scaled_dot_product_attention(query, key, value))
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% wrong_freezes_model: No graph, since the model's parameters are frozen for good.
import torch
import torch.nn.functional as F


def step(model, token, cache):
    model.requires_grad_(False)
    x = model.letters(token)[:, None]
    first = not cache
    for i, block in enumerate(model.blocks):
        start = 0 if first else cache[i][0].shape[2]
        query, key, value = block.attention.split(block.norm1(x), start)
        if first:
            cache.append((key, value))
        else:
            key = torch.cat((cache[i][0], key), dim=2)
            value = torch.cat((cache[i][1], value), dim=2)
            cache[i] = (key, value)
        x = x + block.attention.join(F.scaled_dot_product_attention(query, key, value))
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% wrong_place_is_len: The list's length is the number of blocks, not the place.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    x = model.letters(token)[:, None]
    place = len(cache)
    for i, block in enumerate(model.blocks):
        query, key, value = block.attention.split(block.norm1(x), place)
        if place == 0:
            cache.append([key, value])
        else:
            cache[i][0] = key = torch.cat((cache[i][0], key), dim=2)
            cache[i][1] = value = torch.cat((cache[i][1], value), dim=2)
        x = x + block.attention.join(F.scaled_dot_product_attention(query, key, value))
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% wrong_float32_room: The room is float32, a float64 net fails.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    x = model.letters(token)[:, None]
    if not cache:
        cache.append(0)
    place = cache[0]
    for i, block in enumerate(model.blocks):
        query, key, value = block.attention.split(block.norm1(x), place)
        if place == 0:
            N, H, _, D = key.shape
            cache.append((torch.zeros(N, H, model.context, D), torch.zeros(N, H, model.context, D)))
        keys, values = cache[i + 1]
        keys[:, :, place : place + 1] = key
        values[:, :, place : place + 1] = value
        heads = F.scaled_dot_product_attention(query, keys[:, :, : place + 1], values[:, :, : place + 1])
        x = x + block.attention.join(heads)
        x = x + block.mlp(block.norm2(x))
    cache[0] = place + 1
    return model.head(model.norm(x))[:, 0]


# %% wrong_memory_elsewhere: Keys and values in one global, a text in between overwrites them.
import torch
import torch.nn.functional as F


memory = {}


@torch.no_grad()
def step(model, token, cache):
    if not cache:
        memory.clear()
    place = len(cache)
    cache.append(token)
    x = model.letters(token)[:, None]
    for i, block in enumerate(model.blocks):
        query, key, value = block.attention.split(block.norm1(x), place)
        if place > 0:
            key = torch.cat((memory[i][0], key), dim=2)
            value = torch.cat((memory[i][1], value), dim=2)
        memory[i] = (key, value)
        x = x + block.attention.join(F.scaled_dot_product_attention(query, key, value))
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% wrong_is_causal_3: With `is_causal` on, a single query sees only the first key.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    place = cache[0][0].shape[2] if cache else 0
    x = model.letters(token[:, None])
    for i, block in enumerate(model.blocks):
        query, key, value = block.attention.split(block.norm1(x), place)
        if place == 0:
            cache.append((key, value))
        else:
            key = torch.cat((cache[i][0], key), dim=2)
            value = torch.cat((cache[i][1], value), dim=2)
            cache[i] = (key, value)
        x = x + block.attention.join(F.scaled_dot_product_attention(query, key, value, is_causal=True))
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% wrong_place_outside_cache: The place is counted on the function, so texts in between move it.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    if not cache:
        step.place = 0
        cache.extend([None] * len(model.blocks))
    x = model.letters(token[:, None])
    for i, block in enumerate(model.blocks):
        query, key, value = block.attention.split(block.norm1(x), step.place)
        if cache[i] is not None:
            key = torch.cat((cache[i][0], key), dim=2)
            value = torch.cat((cache[i][1], value), dim=2)
        cache[i] = (key, value)
        x = x + block.attention.join(F.scaled_dot_product_attention(query, key, value))
        x = x + block.mlp(block.norm2(x))
    step.place += 1
    return model.head(model.norm(x))[:, 0]


# %% wrong_empty_places_seen: Looks at the zeros of the whole buffer, not only at what is filled.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    x = model.letters(token[:, None])
    if not cache:
        N, C = len(token), x.shape[-1]
        cache.append(0)
        for block in model.blocks:
            H = block.attention.num_heads
            cache.append(x.new_zeros(2, N, H, model.context, C // H))
    place = cache[0]
    for block, kept in zip(model.blocks, cache[1:]):
        query, key, value = block.attention.split(block.norm1(x), place)
        kept[0, :, :, place] = key[:, :, 0]
        kept[1, :, :, place] = value[:, :, 0]
        x = x + block.attention.join(F.scaled_dot_product_attention(query, kept[0], kept[1]))
        x = x + block.mlp(block.norm2(x))
    cache[0] = place + 1
    return model.head(model.norm(x))[:, 0]


# %% wrong_context_less_one: Keeps context - 1 keys, so a full text has lost its first letter.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    place = cache[0][0].shape[2] if cache else 0
    room = model.context - 1
    x = model.letters(token[:, None])
    for i, block in enumerate(model.blocks):
        query, key, value = block.attention.split(block.norm1(x), place)
        if place == 0:
            cache.append((key, value))
        else:
            key = torch.cat((cache[i][0], key), dim=2)[:, :, -room:]
            value = torch.cat((cache[i][1], value), dim=2)[:, :, -room:]
            cache[i] = (key, value)
        x = x + block.attention.join(F.scaled_dot_product_attention(query, key, value))
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% wrong_cache_in_bfloat16: Keeps keys and values in bfloat16, too coarse for four digits.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    place = cache[0][0].shape[2] if cache else 0
    x = model.letters(token[:, None])
    for i, block in enumerate(model.blocks):
        query, key, value = block.attention.split(block.norm1(x), place)
        key, value = key.bfloat16(), value.bfloat16()  # half the memory
        if place == 0:
            cache.append((key, value))
        else:
            key = torch.cat((cache[i][0], key), dim=2)
            value = torch.cat((cache[i][1], value), dim=2)
            cache[i] = (key, value)
        heads = F.scaled_dot_product_attention(query, key.to(query.dtype), value.to(query.dtype))
        x = x + block.attention.join(heads)
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% wrong_model_frozen: No graph, because the model's parameters are frozen for good.
import torch
import torch.nn.functional as F


def step(model, token, cache):
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    place = cache[0][0].shape[2] if cache else 0
    x = model.letters(token[:, None])
    for i, block in enumerate(model.blocks):
        query, key, value = block.attention.split(block.norm1(x), place)
        if place == 0:
            cache.append((key, value))
        else:
            key = torch.cat((cache[i][0], key), dim=2)
            value = torch.cat((cache[i][1], value), dim=2)
            cache[i] = (key, value)
        x = x + block.attention.join(F.scaled_dot_product_attention(query, key, value))
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% wrong_graph_of_last_letter: The cache is detached, the logits are not.
import torch
import torch.nn.functional as F


def step(model, token, cache):
    place = cache[0][0].shape[2] if cache else 0
    x = model.letters(token[:, None])
    for i, block in enumerate(model.blocks):
        query, key, value = block.attention.split(block.norm1(x), place)
        if place == 0:
            cache.append((key.detach(), value.detach()))
        else:
            key = torch.cat((cache[i][0], key), dim=2)
            value = torch.cat((cache[i][1], value), dim=2)
            cache[i] = (key.detach(), value.detach())
        x = x + block.attention.join(F.scaled_dot_product_attention(query, key, value))
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% right_pairs: Short, a pair of key and value for each block, with split and join of the net.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    place = cache[0][0].shape[2] if cache else 0
    x = model.letters(token[:, None])
    for i, block in enumerate(model.blocks):
        query, key, value = block.attention.split(block.norm1(x), place)
        if place == 0:
            cache.append((key, value))
        else:
            cache[i] = tuple(torch.cat(pair, dim=2) for pair in zip(cache[i], (key, value)))
        x = x + block.attention.join(F.scaled_dot_product_attention(query, *cache[i]))
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% right_by_hand_2: Long, turns and attends by hand, a list of rows for each block.
import torch


def step(model, token, cache):
    with torch.no_grad():
        if len(cache) == 0:
            for _ in model.blocks:
                cache.append([])
        x = model.letters(token)  # (N, C)
        for block, kept in zip(model.blocks, cache):
            attention = block.attention
            place = len(kept)
            parts = attention.qkv(block.norm1(x)).chunk(3, dim=-1)
            query, key, value = [part.unflatten(-1, (attention.num_heads, -1)) for part in parts]  # (N, H, D)
            size = query.shape[-1]
            half = size // 2
            angles = place * 1000.0 ** (-torch.arange(half, device=x.device) / half)
            cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
            turned = []
            for vector in (query, key):
                one, other = vector[..., :half], vector[..., half:]
                turned.append(torch.cat((one * cos - other * sin, one * sin + other * cos), dim=-1))
            query, key = turned
            kept.append((key, value))
            keys = torch.stack([k for k, _ in kept], dim=2)  # (N, H, places, D)
            values = torch.stack([v for _, v in kept], dim=2)
            scores = query.unsqueeze(2) @ keys.transpose(2, 3) / size**0.5  # (N, H, 1, places)
            heads = (scores.softmax(dim=-1) @ values).squeeze(2)  # (N, H, D)
            x = x + attention.out(heads.flatten(1))
            x = x + block.mlp(block.norm2(x))
        return model.head(model.norm(x))


# %% right_buffers_2: Buffers for the whole context, made once and filled place by place.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    x = model.letters(token.unsqueeze(1))
    if not cache:
        cache.append(0)
        for block in model.blocks:
            H = block.attention.num_heads
            shape = (len(token), H, model.context, x.shape[-1] // H)
            cache.append((x.new_empty(shape), x.new_empty(shape)))
    place = cache[0]
    for block, (keys, values) in zip(model.blocks, cache[1:]):
        query, key, value = block.attention.split(block.norm1(x), place)
        keys[:, :, place] = key[:, :, 0]
        values[:, :, place] = value[:, :, 0]
        heads = F.scaled_dot_product_attention(query, keys[:, :, : place + 1], values[:, :, : place + 1])
        x = x + block.attention.join(heads)
        x = x + block.mlp(block.norm2(x))
    cache[0] = place + 1
    return model.head(model.norm(x)).squeeze(1)


# %% wrong_place_zero_2: Every letter is turned as if it stood at place 0.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    first = not cache
    x = model.letters(token)[:, None]
    for i, block in enumerate(model.blocks):
        query, key, value = block.attention.split(block.norm1(x), 0)
        if first:
            cache.append((key, value))
        else:
            key = torch.cat((cache[i][0], key), dim=2)
            value = torch.cat((cache[i][1], value), dim=2)
            cache[i] = (key, value)
        x = x + block.attention.join(F.scaled_dot_product_attention(query, key, value))
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% wrong_is_causal_4: With one query is_causal shows the first key only.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    start = cache[0][0].shape[2] if cache else 0
    x = model.letters(token)[:, None]
    for i, block in enumerate(model.blocks):
        query, key, value = block.attention.split(block.norm1(x), start)
        if start == 0:
            cache.append((key, value))
        else:
            key = torch.cat((cache[i][0], key), dim=2)
            value = torch.cat((cache[i][1], value), dim=2)
            cache[i] = (key, value)
        heads = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        x = x + block.attention.join(heads)
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% wrong_graph_2: The logits and the cache carry a graph.
import torch
import torch.nn.functional as F


def step(model, token, cache):
    start = cache[0][0].shape[2] if cache else 0
    x = model.letters(token)[:, None]
    for i, block in enumerate(model.blocks):
        query, key, value = block.attention.split(block.norm1(x), start)
        if start == 0:
            cache.append((key, value))
        else:
            key = torch.cat((cache[i][0], key), dim=2)
            value = torch.cat((cache[i][1], value), dim=2)
            cache[i] = (key, value)
        x = x + block.attention.join(F.scaled_dot_product_attention(query, key, value))
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% wrong_squeeze: `squeeze()` takes the axis of the texts too when there is one text.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    start = cache[0][0].shape[2] if cache else 0
    x = model.letters(token)[:, None]
    for i, block in enumerate(model.blocks):
        query, key, value = block.attention.split(block.norm1(x), start)
        if start == 0:
            cache.append((key, value))
        else:
            key = torch.cat((cache[i][0], key), dim=2)
            value = torch.cat((cache[i][1], value), dim=2)
            cache[i] = (key, value)
        x = x + block.attention.join(F.scaled_dot_product_attention(query, key, value))
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x)).squeeze()


# %% wrong_place_outside: The place is counted outside of the list, so texts in between move it.
import torch
import torch.nn.functional as F

place = 0


@torch.no_grad()
def step(model, token, cache):
    global place
    if not cache:
        place = 0
        cache.extend([None] * len(model.blocks))
    x = model.letters(token)[:, None]
    for i, block in enumerate(model.blocks):
        query, key, value = block.attention.split(block.norm1(x), place)
        if cache[i] is not None:
            key = torch.cat((cache[i][0], key), dim=2)
            value = torch.cat((cache[i][1], value), dim=2)
        cache[i] = (key, value)
        x = x + block.attention.join(F.scaled_dot_product_attention(query, key, value))
        x = x + block.mlp(block.norm2(x))
    place += 1
    return model.head(model.norm(x))[:, 0]


# %% wrong_freezes_model_2: Gets rid of the graph by freezing the caller's model.
import torch
import torch.nn.functional as F


def step(model, token, cache):
    model.requires_grad_(False)
    start = cache[0][0].shape[2] if cache else 0
    x = model.letters(token)[:, None]
    for i, block in enumerate(model.blocks):
        query, key, value = block.attention.split(block.norm1(x), start)
        if start == 0:
            cache.append((key, value))
        else:
            key = torch.cat((cache[i][0], key), dim=2)
            value = torch.cat((cache[i][1], value), dim=2)
            cache[i] = (key, value)
        x = x + block.attention.join(F.scaled_dot_product_attention(query, key, value))
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% wrong_context_less_one_2: Keeps context - 1 keys, so the last letter of a full text misses the first.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    start = cache[0][0].shape[2] if cache else 0
    kept = model.context - 1
    x = model.letters(token)[:, None]
    for i, block in enumerate(model.blocks):
        query, key, value = block.attention.split(block.norm1(x), start)
        if start == 0:
            cache.append((key, value))
        else:
            key = torch.cat((cache[i][0], key), dim=2)[:, :, -kept:]
            value = torch.cat((cache[i][1], value), dim=2)[:, :, -kept:]
            cache[i] = (key, value)
        x = x + block.attention.join(F.scaled_dot_product_attention(query, key, value))
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% right_pair_per_block: A pair of keys and values for each block.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    start = cache[0][0].shape[2] if cache else 0
    x = model.letters(token)[:, None]
    for i, block in enumerate(model.blocks):
        query, key, value = block.attention.split(block.norm1(x), start)
        if start == 0:
            cache.append((key, value))
        else:
            key = torch.cat((cache[i][0], key), dim=2)
            value = torch.cat((cache[i][1], value), dim=2)
            cache[i] = (key, value)
        x = x + block.attention.join(F.scaled_dot_product_attention(query, key, value))
        x = x + block.mlp(block.norm2(x))
    return model.head(model.norm(x))[:, 0]


# %% right_entry_per_letter: An entry for each letter, attention written out.
import torch


def step(model, token, cache):
    with torch.no_grad():
        place = len(cache)
        rows = []  # this letter's key and value in each block
        x = model.letters(token.unsqueeze(1))
        for number, block in enumerate(model.blocks):
            query, key, value = block.attention.split(block.norm1(x), place)
            rows.append((key, value))
            keys = torch.cat([letter[number][0] for letter in cache] + [key], dim=2)
            values = torch.cat([letter[number][1] for letter in cache] + [value], dim=2)
            scores = query @ keys.transpose(-2, -1) / query.shape[-1] ** 0.5
            heads = scores.softmax(dim=-1) @ values
            x = x + block.attention.join(heads)
            x = x + block.mlp(block.norm2(x))
        cache.append(rows)
        return model.head(model.norm(x)).squeeze(1)


# %% right_one_tensor: One tensor for the keys and values of all blocks, einsum.
import torch
import torch.nn.functional as F


@torch.no_grad()
def step(model, token, cache):
    past = cache[0] if cache else None  # (blocks, 2, N, H, T, D)
    start = 0 if past is None else past.shape[4]
    x = model.letters(token)[:, None, :]
    both = []
    for i, block in enumerate(model.blocks):
        query, key, value = block.attention.split(block.norm1(x), start)
        pair = torch.stack((key, value))
        if past is not None:
            pair = torch.cat((past[i], pair), dim=3)
        both.append(pair)
        keys, values = pair
        scores = torch.einsum("nhqd,nhkd->nhqk", query, keys) * query.shape[-1] ** -0.5
        heads = torch.einsum("nhqk,nhkd->nhqd", F.softmax(scores, dim=-1), values)
        x = x + block.attention.join(heads)
        x = x + block.mlp(block.norm2(x))
    if both:
        cache[:] = [torch.stack(both)]
    return model.head(model.norm(x[:, 0]))
