# %% right_compared: Places compared, broadcast.
import torch


def causal_mask(queries, keys):
    places = torch.arange(keys)
    return places[None, :] <= places[keys - queries :, None]


# %% right_last_rows: The last rows of the square.
import torch


def causal_mask(queries, keys):
    return torch.tril(torch.ones(keys, keys)).bool()[-queries:]


# %% right_not_triu: What is not hidden.
import torch


def causal_mask(queries, keys):
    return ~torch.ones(queries, keys).bool().triu(1 + keys - queries)


# %% right_loops: Row by row.
import torch


def causal_mask(queries, keys):
    rows = []
    for i in range(queries):
        sees = keys - queries + i + 1
        rows.append([True] * sees + [False] * (keys - sees))
    return torch.tensor(rows)


# %% wrong_first_rows: The first rows of the square.
import torch


def causal_mask(queries, keys):
    return torch.ones(keys, keys, dtype=torch.bool).tril()[:queries]


# %% wrong_diagonal_sign: Moved to the other side.
import torch


def causal_mask(queries, keys):
    return torch.ones(queries, keys, dtype=torch.bool).tril(queries - keys)


# %% wrong_one_too_far: Sees one letter ahead.
import torch


def causal_mask(queries, keys):
    return torch.ones(queries, keys, dtype=torch.bool).tril(keys - queries + 1)


# %% wrong_uint8: Numbers for truth values.
import torch


def causal_mask(queries, keys):
    return torch.ones(queries, keys, dtype=torch.uint8).tril(keys - queries)


# %% wrong_batched: Two axes too many.
import torch


def causal_mask(queries, keys):
    return torch.ones(1, 1, queries, keys, dtype=torch.bool).tril(keys - queries)


# %% wrong_turned: Keys by queries.
import torch


def causal_mask(queries, keys):
    return torch.ones(keys, queries, dtype=torch.bool).tril()


# %% wrong_everything: All see all.
import torch


def causal_mask(queries, keys):
    return torch.ones(queries, keys, dtype=torch.bool)


# %% wrong_minus_inf: Zero where hidden, one elsewhere, then minus infinity.
import torch


def causal_mask(queries, keys):
    seen = torch.ones(queries, keys).tril(keys - queries)
    return seen.masked_fill(seen == 0, float("-inf")).masked_fill(seen == 1, 0.0)


# %% wrong_strictly_before: Earlier letters only, not itself.
import torch


def causal_mask(queries, keys):
    k = torch.arange(keys)
    q = torch.arange(keys - queries, keys)
    return k[None] < q[:, None]


# %% wrong_last_row_only: All queries see everything but the first sees less.
import torch


def causal_mask(queries, keys):
    mask = torch.ones(queries, keys, dtype=torch.bool)
    mask[0, -1] = queries == 1
    return mask


# %% right_places_compared: Places of keys and queries compared.
import torch


def causal_mask(queries, keys):
    key_places = torch.arange(keys)
    query_places = torch.arange(keys - queries, keys)
    return key_places[None, :] <= query_places[:, None]


# %% right_loop_explicit: Row by row, filled.
import torch


def causal_mask(queries, keys):
    mask = torch.zeros((queries, keys), dtype=torch.bool)
    for row in range(queries):
        place = keys - queries + row  # of this query among the keys
        mask[row, : place + 1] = True
    return mask


# %% wrong_not_itself: Strict, so the last query does not see the last key.
import torch


def causal_mask(queries, keys):
    return torch.arange(keys) < torch.arange(keys - queries, keys)[:, None]


# %% wrong_float: Ones and zeros instead of bool.
import torch


def causal_mask(queries, keys):
    return torch.ones(keys, keys).tril()[keys - queries :]


# %% wrong_one_query_flat: One query gets a 1-D mask.
import torch


def causal_mask(queries, keys):
    if queries == 1:  # sees everything
        return torch.ones(keys, dtype=torch.bool)
    return torch.ones(queries, keys, dtype=torch.bool).tril(diagonal=keys - queries)


# %% wrong_past_hidden: The letters before the queries are False.
import torch


def causal_mask(queries, keys):
    past = torch.zeros(queries, keys - queries, dtype=torch.bool)
    own = torch.ones(queries, queries, dtype=torch.bool).tril()
    return torch.cat((past, own), dim=1)


# %% wrong_minus_zero: -0 as a slice start empties the last row.
import torch


def causal_mask(queries, keys):
    mask = torch.ones(queries, keys, dtype=torch.bool)
    for i in range(queries):
        hidden = queries - 1 - i
        mask[i, -hidden:] = False
    return mask


# %% wrong_fixed_buffer: Cut from a triangle of 512, too small for longer texts.
import torch


TRIANGLE = torch.ones(512, 512, dtype=torch.bool).tril()


def causal_mask(queries, keys):
    return TRIANGLE[keys - queries : keys, :keys].clone()


# %% wrong_true_is_blocked: True where a query may not look.
import torch


def causal_mask(queries, keys):
    return torch.triu(torch.ones(queries, keys, dtype=torch.bool), diagonal=keys - queries + 1)


# %% wrong_minus_inf_2: A float mask to add, not a bool one.
import torch


def causal_mask(queries, keys):
    return torch.full((queries, keys), float("-inf")).triu(keys - queries + 1)


# %% wrong_ones_not_bool: The right places, as float ones and zeros.
import torch


def causal_mask(queries, keys):
    return torch.tril(torch.ones(queries, keys), diagonal=keys - queries)


# %% wrong_table_of_1024: Cut from a table that ends at 1024 keys.
import torch

_TABLE = torch.ones(1024, 1024, dtype=torch.bool).tril()


def causal_mask(queries, keys):
    return _TABLE[keys - queries : keys, :keys].clone()


# %% wrong_one_query_flat_2: The shortcut for a single query returns (keys,).
import torch


def causal_mask(queries, keys):
    if queries == 1:  # the newest letter sees everything
        return torch.ones(keys, dtype=torch.bool)
    places = torch.arange(keys)
    return places[None, :] <= places[-queries:, None]


# %% right_places: Compares the places of keys and queries.
import torch


def causal_mask(queries, keys):
    key_places = torch.arange(keys)
    query_places = torch.arange(keys - queries, keys)
    return key_places.unsqueeze(0) <= query_places.unsqueeze(1)


# %% right_row_by_row: Long, fills row by row.
import torch


def causal_mask(queries, keys):
    mask = torch.zeros((queries, keys), dtype=torch.bool)
    for i in range(queries):
        hidden = queries - 1 - i  # later letters than this query
        mask[i, : keys - hidden] = True
    return mask


# %% wrong_not_itself_2: A query does not see its own key.
import torch


def causal_mask(queries, keys):
    query = torch.arange(keys - queries, keys)
    key = torch.arange(keys)
    return key[None, :] < query[:, None]


# %% wrong_first_left_out: All but one leaves out the first key, not the last.
import torch


def causal_mask(queries, keys):
    missing = torch.arange(queries - 1, -1, -1)
    return torch.arange(keys) >= missing[:, None]


# %% wrong_bytes_wrap: The places are kept in bytes, which wrap from 256 on.
import torch


def causal_mask(queries, keys):
    places = torch.arange(keys).byte()
    return places <= places[keys - queries :, None]


# %% wrong_one_query_flat_3: A single query gets a mask of shape (keys,).
import torch


def causal_mask(queries, keys):
    if queries == 1:
        return torch.ones(keys, dtype=torch.bool)
    return torch.ones(keys, keys, dtype=torch.bool).tril()[-queries:]


# %% wrong_band: Each query sees equally many keys, the early ones are dropped.
import torch


def causal_mask(queries, keys):
    return torch.ones(queries, keys, dtype=torch.bool).tril(keys - queries).triu()


# %% right_places_2: Compares the places of queries and keys.
import torch


def causal_mask(queries, keys):
    key_places = torch.arange(keys)
    query_places = key_places[keys - queries :]
    return key_places.unsqueeze(0).le(query_places.unsqueeze(1))
