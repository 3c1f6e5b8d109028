# %% right_view_permute: Four axes, and permute.
def over_heads(f, x, num_heads):
    N, T, C = x.shape
    heads = x.view(N, T, num_heads, C // num_heads).permute(0, 2, 1, 3)
    out = f(heads).permute(0, 2, 1, 3)
    return out.reshape(N, T, -1)


# %% right_contiguous_after: Copied only on the way back.
def over_heads(f, x, num_heads):
    N, T, C = x.size()
    out = f(x.unflatten(2, (num_heads, C // num_heads)).swapaxes(1, 2))
    E = out.size(-1)
    return out.transpose(1, 2).contiguous().view(N, T, num_heads * E)


# %% right_cat: Joined by cat.
import torch


def over_heads(f, x, num_heads):
    out = f(x.view(x.shape[0], x.shape[1], num_heads, -1).transpose(1, 2))
    return torch.cat([out[:, h] for h in range(num_heads)], dim=-1)


# %% wrong_view_straight: The popular wrong view.
def over_heads(f, x, num_heads):
    N, T, C = x.shape
    out = f(x.contiguous().view(N, num_heads, T, C // num_heads))
    return out.reshape(N, T, num_heads * out.shape[-1])


# %% wrong_merge_view: Not swapped back.
def over_heads(f, x, num_heads):
    N, T, C = x.shape
    out = f(x.reshape(N, T, num_heads, -1).transpose(1, 2))
    return out.contiguous().view(N, T, -1)


# %% wrong_chunks: A stack of chunks copies.
import torch


def over_heads(f, x, num_heads):
    out = f(torch.stack(x.chunk(num_heads, dim=-1), dim=1))
    return torch.cat(out.unbind(1), dim=-1)


# %% wrong_head_by_head: Called once for each head.
import torch


def over_heads(f, x, num_heads):
    heads = x.unflatten(-1, (num_heads, -1)).transpose(1, 2)
    return torch.cat([f(heads[:, h : h + 1])[:, 0] for h in range(num_heads)], dim=-1)


# %% wrong_same_width: Takes for granted that f keeps the width.
def over_heads(f, x, num_heads):
    N, T, C = x.shape
    return f(x.view(N, T, num_heads, -1).transpose(1, 2)).transpose(1, 2).reshape(N, T, C)


# %% wrong_numbers_first: Heads as the last axis.
def over_heads(f, x, num_heads):
    N, T, C = x.shape
    out = f(x.reshape(N, T, C // num_heads, num_heads).permute(0, 3, 1, 2))
    return out.permute(0, 2, 3, 1).reshape(N, T, -1)


# %% wrong_merged_by_numbers: Back with the heads innermost.
def over_heads(f, x, num_heads):
    out = f(x.unflatten(-1, (num_heads, -1)).transpose(1, 2))
    return out.permute(0, 2, 3, 1).flatten(2)


# %% wrong_mT: The last two axes swapped.
def over_heads(f, x, num_heads):
    N, T, C = x.shape
    out = f(x.unflatten(-1, (num_heads, -1)).transpose(1, 2))
    return out.mT.reshape(N, T, -1)


# %% wrong_batch_of_heads: Heads in the batch.
def over_heads(f, x, num_heads):
    N, T, C = x.shape
    heads = x.view(N, T, num_heads, -1).transpose(1, 2).reshape(N * num_heads, 1, T, C // num_heads)
    out = f(heads).view(N, num_heads, T, -1)
    return out.transpose(1, 2).reshape(N, T, -1)


# %% wrong_detached: f gets a detached x.
def over_heads(f, x, num_heads):
    out = f(x.detach().unflatten(-1, (num_heads, -1)).transpose(1, 2))
    return out.transpose(1, 2).flatten(2)


# %% wrong_cloned: f gets a copy, to be safe.
def over_heads(f, x, num_heads):
    heads = x.clone().unflatten(-1, (num_heads, -1)).transpose(1, 2)
    return f(heads).transpose(1, 2).flatten(2)


# %% right_unflatten_short: Unflatten and flatten.
def over_heads(f, x, num_heads):
    heads = x.unflatten(2, (num_heads, x.shape[2] // num_heads)).transpose(1, 2)
    return f(heads).transpose(1, 2).flatten(2)


# %% right_strided_and_cat: Strides by hand, the heads' results concatenated.
import torch


def over_heads(f, x, num_heads):
    n, t, c = x.shape
    d = c // num_heads
    stride_n, stride_t, stride_c = x.stride()
    heads = x.as_strided(
        (n, num_heads, t, d),
        (stride_n, d * stride_c, stride_t, stride_c),
        x.storage_offset(),
    )
    result = f(heads)
    pieces = []
    for h in range(num_heads):
        pieces.append(result[:, h])  # (N, T, E)
    return torch.cat(pieces, dim=2)


# %% right_view_permute_reshape: View, permute and reshape with all sizes named.
def over_heads(f, x, num_heads):
    N, T, C = x.shape
    out = f(x.view(N, T, num_heads, C // num_heads).permute(0, 2, 1, 3))
    return out.permute(0, 2, 1, 3).reshape(N, T, num_heads * out.shape[-1])


# %% wrong_no_transpose: Cuts T instead of C.
def over_heads(f, x, num_heads):
    N, T, C = x.shape
    out = f(x.view(N, num_heads, T, C // num_heads))
    return out.transpose(1, 2).flatten(2)


# %% wrong_stack_of_chunks: A stack copies its parts.
import torch


def over_heads(f, x, num_heads):
    heads = torch.stack(x.chunk(num_heads, dim=-1), dim=1)
    return f(heads).transpose(1, 2).flatten(2)


# %% wrong_interleaved: Every H-th number, no neighbours.
def over_heads(f, x, num_heads):
    heads = x.unflatten(-1, (x.shape[-1] // num_heads, num_heads)).permute(0, 3, 1, 2)
    return f(heads).transpose(1, 2).flatten(2)


# %% wrong_same_width_2: Takes it that f keeps C / H.
def over_heads(f, x, num_heads):
    N, T, C = x.shape
    heads = x.unflatten(-1, (num_heads, C // num_heads)).transpose(1, 2)
    return f(heads).transpose(1, 2).reshape(N, T, C)


# %% wrong_view_to_join: View refuses where f returns a contiguous result.
def over_heads(f, x, num_heads):
    N, T, C = x.shape
    out = f(x.view(N, T, num_heads, C // num_heads).transpose(1, 2))
    return out.transpose(1, 2).view(N, T, num_heads * out.shape[-1])


# %% wrong_float32_result: The result is always float32.
import torch


def over_heads(f, x, num_heads):
    N, T, C = x.shape
    out = f(x.unflatten(-1, (num_heads, C // num_heads)).transpose(1, 2))
    E = out.shape[-1]
    joined = torch.empty(N, T, num_heads * E)
    for h in range(num_heads):
        joined[:, :, h * E : (h + 1) * E] = out[:, h]
    return joined


# %% wrong_strides_of_contiguous: `as_strided` with the strides that a contiguous x would have.
def over_heads(f, x, num_heads):
    N, T, C = x.shape
    size = C // num_heads
    heads = x.as_strided((N, num_heads, T, size), (T * C, size, C, 1))
    return f(heads).transpose(1, 2).flatten(2)


# %% wrong_one_call_per_head: Calls f once for each head.
import torch


def over_heads(f, x, num_heads):
    size = x.shape[-1] // num_heads
    results = [f(head.unsqueeze(1)).squeeze(1) for head in x.split(size, dim=-1)]
    return torch.cat(results, dim=-1)


# %% wrong_heads_innermost: The numbers of the heads alternate, right for a single number each.
def over_heads(f, x, num_heads):
    heads = x.unflatten(-1, (num_heads, -1)).permute(0, 2, 1, 3)
    return f(heads).permute(0, 2, 3, 1).flatten(2)


# %% wrong_one_head_shortcut: For one head f gets (N, T, C), without its axis of heads.
def over_heads(f, x, num_heads):
    if num_heads == 1:
        return f(x)
    heads = x.unflatten(-1, (num_heads, -1)).transpose(1, 2)
    return f(heads).transpose(1, 2).flatten(2)


# %% wrong_float32_result_2: The results are put in a new tensor of the default dtype.
import torch


def over_heads(f, x, num_heads):
    N, T, C = x.shape
    out = f(x.unflatten(-1, (num_heads, C // num_heads)).transpose(1, 2))
    E = out.shape[-1]
    result = torch.empty(N, T, num_heads * E)
    for h in range(num_heads):
        result[..., h * E : (h + 1) * E] = out[:, h]
    return result


# %% right_unfold_and_cat: Unfold for the heads, cat for the results.
import torch


def over_heads(f, x, num_heads):
    size = x.shape[2] // num_heads
    heads = x.unfold(2, size, size)  # (N, T, H, C / H)
    heads = heads.movedim(2, 1)
    return torch.cat(f(heads).unbind(1), dim=-1)


# %% right_view_and_fill: Long, view and a new tensor filled head by head.
def over_heads(f, x, num_heads):
    N, T, C = x.shape
    size = C // num_heads
    heads = x.view(N, T, num_heads, size).permute(0, 2, 1, 3)
    out = f(heads)
    E = out.shape[3]
    result = out.new_empty((N, T, num_heads * E))
    for h in range(num_heads):
        result[:, :, h * E : (h + 1) * E] = out[:, h]
    return result


# %% wrong_no_transpose_2: Cuts into (N, H, T, D) directly, which mixes places and heads.
def over_heads(f, x, num_heads):
    N, T, C = x.shape
    result = f(x.reshape(N, num_heads, T, C // num_heads))
    return result.transpose(1, 2).flatten(2)


# %% wrong_rows_merged: Reshape over N and T copies where their strides do not merge.
def over_heads(f, x, num_heads):
    N, T, C = x.shape
    heads = x.reshape(N * T, num_heads, C // num_heads)
    heads = heads.unflatten(0, (N, T)).transpose(1, 2)
    return f(heads).transpose(1, 2).flatten(2)


# %% wrong_joined_untransposed: Reshapes (N, H, T, E) without bringing the places forward.
def over_heads(f, x, num_heads):
    heads = x.unflatten(-1, (num_heads, -1)).transpose(1, 2)
    result = f(heads)
    N, H, T, E = result.shape
    return result.reshape(N, T, H * E)


# %% wrong_f_per_head: Calls f once for each head.
import torch


def over_heads(f, x, num_heads):
    results = [f(head.unsqueeze(1)).squeeze(1) for head in x.chunk(num_heads, dim=-1)]
    return torch.cat(results, dim=-1)


# %% wrong_as_wide_as_x: Takes E to be C / H.
def over_heads(f, x, num_heads):
    N, T, C = x.shape
    heads = x.view(N, T, num_heads, C // num_heads).transpose(1, 2)
    return f(heads).transpose(1, 2).reshape(N, T, C)


# %% wrong_dtype_of_x: The results are put into a tensor of x's dtype.
def over_heads(f, x, num_heads):
    N, T, C = x.shape
    result = f(x.unflatten(-1, (num_heads, -1)).transpose(1, 2))
    E = result.shape[-1]
    out = x.new_empty(N, T, num_heads * E)
    for h in range(num_heads):
        out[:, :, h * E : (h + 1) * E] = result[:, h]
    return out


# %% wrong_heads_interleaved: Joins as (E, H), not head after head.
def over_heads(f, x, num_heads):
    heads = x.unflatten(-1, (num_heads, -1)).movedim(2, 1)
    return f(heads).permute(0, 2, 3, 1).flatten(2)


# %% right_unflatten: Short, unflatten and flatten.
def over_heads(f, x, num_heads):
    return f(x.unflatten(-1, (num_heads, -1)).transpose(1, 2)).transpose(1, 2).flatten(2)


# %% right_filled: Long and explicit, head by head into a tensor of the result's dtype.
def over_heads(f, x, num_heads):
    N, T, C = x.shape
    heads = x.view(N, T, num_heads, C // num_heads).permute(0, 2, 1, 3)
    result = f(heads)
    E = result.shape[3]
    joined = result.new_empty((N, T, num_heads * E))
    for h in range(num_heads):
        joined[:, :, h * E : (h + 1) * E] = result[:, h]
    return joined


# %% right_unfold_cat: Unfold for the cut, cat for the joining.
import torch


def over_heads(f, x, num_heads):
    width = x.size(-1) // num_heads
    heads = x.unfold(-1, width, width).movedim(2, 1)
    return torch.cat(f(heads).unbind(1), dim=-1)
