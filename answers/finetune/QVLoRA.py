# %% right_fused_matrices: Builds the whole update as one matrix with zeros for the key.
import torch
from torch import nn
from torch.nn import functional as F


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv
        for parameter in self.qkv.parameters():
            parameter.requires_grad = False
        self.rank, self.alpha = rank, alpha
        d = qkv.out_features // 3
        for name in "qv":
            a = torch.empty(rank, qkv.in_features, dtype=qkv.weight.dtype, device=qkv.weight.device)
            self.register_parameter(f"{name}_A", nn.Parameter(nn.init.kaiming_uniform_(a, a=5**0.5)))
            self.register_parameter(f"{name}_B", nn.Parameter(qkv.weight.new_zeros(d, rank)))

    def _delta(self):
        rows = [self.q_B @ self.q_A, torch.zeros_like(self.q_B @ self.q_A), self.v_B @ self.v_A]
        return self.alpha / self.rank * torch.cat(rows)

    def forward(self, x):
        return F.linear(x, self.qkv.weight + self._delta(), self.qkv.bias)

    def merge(self):
        with_bias = self.qkv.bias is not None
        like = {"dtype": self.qkv.weight.dtype, "device": self.qkv.weight.device}
        plain = nn.Linear(self.qkv.in_features, self.qkv.out_features, bias=with_bias, **like)
        with torch.no_grad():
            plain.weight.copy_(self.qkv.weight + self._delta())
            if with_bias:
                plain.bias.copy_(self.qkv.bias)
        return plain


# %% right_buffer_for_the_scale: Keeps the scale in a buffer and pads the two updates.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        qkv.weight.requires_grad_(False)
        if qkv.bias is not None:
            qkv.bias.requires_grad_(False)
        self.qkv = qkv
        self.register_buffer("scale", torch.tensor(alpha / rank, dtype=qkv.weight.dtype))
        third = qkv.weight.shape[0] // 3
        self.q_A = nn.Parameter(torch.randn_like(qkv.weight[:1].expand(rank, -1)))
        self.v_A = nn.Parameter(torch.randn_like(qkv.weight[:1].expand(rank, -1)))
        self.q_B = nn.Parameter(qkv.weight.new_zeros((third, rank)))
        self.v_B = nn.Parameter(qkv.weight.new_zeros((third, rank)))

    def forward(self, x):
        third = self.q_B.shape[0]
        query = torch.einsum("...i,ri,or->...o", x, self.q_A, self.q_B)
        value = torch.einsum("...i,ri,or->...o", x, self.v_A, self.v_B)
        added = nn.functional.pad(query, (0, 2 * third)) + nn.functional.pad(value, (2 * third, 0))
        return self.qkv(x) + self.scale * added

    def merge(self):
        layer = copy.deepcopy(self.qkv)
        third = self.q_B.shape[0]
        layer.weight.data[:third] += self.scale * (self.q_B @ self.q_A).detach()
        layer.weight.data[2 * third :] += self.scale * (self.v_B @ self.v_A).detach()
        return layer


# %% right_slices_in_place: Adds to slices of the fresh output.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv, self.factor, self.d = qkv.requires_grad_(False), alpha / rank, qkv.out_features // 3
        w = qkv.weight
        self.q_A = nn.Parameter(0.02 * torch.randn(rank, w.shape[1]).to(w))
        self.q_B = nn.Parameter(torch.zeros(self.d, rank).to(w))
        self.v_A = nn.Parameter(0.02 * torch.randn(rank, w.shape[1]).to(w))
        self.v_B = nn.Parameter(torch.zeros(self.d, rank).to(w))

    def forward(self, x):
        out = self.qkv(x).clone()
        out[..., : self.d] += self.factor * (x @ self.q_A.T @ self.q_B.T)
        out[..., 2 * self.d :] += self.factor * (x @ self.v_A.T @ self.v_B.T)
        return out

    def merge(self):
        new = copy.deepcopy(self.qkv)
        state = new.state_dict()
        for rows, a, b in ((slice(None, self.d), self.q_A, self.q_B), (slice(-self.d, None), self.v_A, self.v_B)):
            state["weight"][rows] += self.factor * b.detach() @ a.detach()
        return new


# %% wrong_forgets_to_freeze: Leaves the wrapped layer as it came.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv
        self.scale = alpha / rank
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], -1)

    @torch.no_grad()
    def merge(self):
        merged = copy.deepcopy(self.qkv)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_freezes_the_weight_alone: Freezes the weight and forgets the bias.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv
        qkv.weight.requires_grad_(False)
        self.scale = alpha / rank
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], -1)

    @torch.no_grad()
    def merge(self):
        merged = copy.deepcopy(self.qkv)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_unscaled_merge_only: Scales in forward, and forgets the factor when it merges.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha / rank
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], -1)

    @torch.no_grad()
    def merge(self):
        merged = copy.deepcopy(self.qkv)
        d = len(self.q_B)
        merged.weight[:d] += self.q_B @ self.q_A
        merged.weight[2 * d :] += self.v_B @ self.v_A
        return merged


# %% wrong_random_b: Draws B at random too: the output differs from the first step on.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha / rank
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.randn(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.randn(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], -1)

    @torch.no_grad()
    def merge(self):
        merged = copy.deepcopy(self.qkv)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_a_is_zero: Begins A at zero and B at random: the output is right at first, the roles are not.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha / rank
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype}
        self.q_A = nn.Parameter(torch.zeros(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.randn(d, rank, **kind))
        self.v_A = nn.Parameter(torch.zeros(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.randn(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], -1)

    @torch.no_grad()
    def merge(self):
        merged = copy.deepcopy(self.qkv)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_square_layers_only: Takes d from in_features, which need not be d.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha / rank
        d = qkv.in_features
        kind = {"dtype": qkv.weight.dtype}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], -1)

    @torch.no_grad()
    def merge(self):
        merged = copy.deepcopy(self.qkv)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_float32_always: Makes the four in float32, whatever the layer's dtype.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha / rank
        d = qkv.out_features // 3
        kind = {}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], -1)

    @torch.no_grad()
    def merge(self):
        merged = copy.deepcopy(self.qkv)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_needs_a_bias: Builds the merged layer by hand and takes a bias for granted.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha / rank
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], -1)

    @torch.no_grad()
    def merge(self):
        merged = nn.Linear(self.qkv.in_features, self.qkv.out_features, dtype=self.qkv.weight.dtype)
        merged.weight.copy_(self.qkv.weight)
        merged.bias.copy_(self.qkv.bias)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_merged_bias_lost: The merged layer never has a bias.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha / rank
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], -1)

    @torch.no_grad()
    def merge(self):
        merged = nn.Linear(self.qkv.in_features, self.qkv.out_features, bias=False, dtype=self.qkv.weight.dtype)
        merged.weight.copy_(self.qkv.weight)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_shares_the_bias: The merged layer has a new weight and the wrapper's own bias.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha / rank
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], -1)

    @torch.no_grad()
    def merge(self):
        merged = nn.Linear(self.qkv.in_features, self.qkv.out_features, dtype=self.qkv.weight.dtype)
        merged.weight.copy_(self.qkv.weight)
        merged.bias = self.qkv.bias
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_merges_itself: Adds the update to its own layer and hands that out.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha / rank
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], -1)

    @torch.no_grad()
    def merge(self):
        merged = self.qkv
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_update_not_transposed: Multiplies by A and B without turning them: fits only where the sizes happen to.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha / rank
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x @ (self.q_A.T @ self.q_B.T).T)
        v = v + self.scale * (x @ (self.v_A.T @ self.v_B.T).T)
        return torch.cat([q, k, v], -1)

    @torch.no_grad()
    def merge(self):
        merged = copy.deepcopy(self.qkv)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_one_a_for_both: Uses the query's A for the value as well.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha / rank
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = self.q_A
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], -1)

    @torch.no_grad()
    def merge(self):
        merged = copy.deepcopy(self.qkv)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_every_key_too: Gives the key the value's update besides.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha / rank
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k + (v - v.detach()), v], -1)

    @torch.no_grad()
    def merge(self):
        merged = copy.deepcopy(self.qkv)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_value_in_the_middle: Reads the order as query, value, key.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha / rank
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, v, k = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, v, k], -1)

    @torch.no_grad()
    def merge(self):
        merged = copy.deepcopy(self.qkv)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[d : 2 * d] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_only_in_training: Adds the update in training mode only.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha / rank
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        if not self.training:
            return torch.cat([q, k, v], -1)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], -1)

    @torch.no_grad()
    def merge(self):
        merged = copy.deepcopy(self.qkv)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_last_axis_taken_for_the_second: Splits along axis 1, which is the last only for two axes.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha / rank
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, 1)
        q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], 1)

    @torch.no_grad()
    def merge(self):
        merged = copy.deepcopy(self.qkv)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_divides_by_alpha: Scales by rank over alpha.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = rank / alpha
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], -1)

    @torch.no_grad()
    def merge(self):
        merged = copy.deepcopy(self.qkv)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_whole_numbers: Divides in whole numbers: alpha below the rank becomes 0.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha // rank
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], -1)

    @torch.no_grad()
    def merge(self):
        merged = copy.deepcopy(self.qkv)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_scale_from_the_width: Takes the width for the rank.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha / qkv.in_features
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], -1)

    @torch.no_grad()
    def merge(self):
        merged = copy.deepcopy(self.qkv)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_merge_in_forward: Merges before it runs, into the layer itself, at every call.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha / rank
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        self.qkv = self.merge()
        return self.qkv(x)

    @torch.no_grad()
    def merge(self):
        merged = copy.deepcopy(self.qkv)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_no_gradient: Computes the update without a graph.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha / rank
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        with torch.no_grad():
            q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
            v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], -1)

    @torch.no_grad()
    def merge(self):
        merged = copy.deepcopy(self.qkv)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_input_cut_off: Cuts the input off for the update, so that layers before learn half.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha / rank
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x.detach() @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x.detach() @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], -1)

    @torch.no_grad()
    def merge(self):
        merged = copy.deepcopy(self.qkv)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_buffers_for_b: Keeps B in buffers: nothing trains it.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha / rank
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.register_buffer("q_B", torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.register_buffer("v_B", torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], -1)

    @torch.no_grad()
    def merge(self):
        merged = copy.deepcopy(self.qkv)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_a_copy_is_kept: Keeps a copy of the layer.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = copy.deepcopy(qkv).requires_grad_(False)
        self.scale = alpha / rank
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], -1)

    @torch.no_grad()
    def merge(self):
        merged = copy.deepcopy(self.qkv)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_merges_once_for_all: Remembers the first merged layer and hands it out again.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha / rank
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], -1)

    @torch.no_grad()
    def merge(self):
        if hasattr(self, "merged_once"):
            return self.merged_once[0]
        merged = copy.deepcopy(self.qkv)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        self.merged_once = [merged]
        return merged


# %% wrong_subclass_returned: Merges into a layer of a class of its own.
import copy

import torch
from torch import nn


class Merged(nn.Linear):
    pass


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha / rank
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], -1)

    @torch.no_grad()
    def merge(self):
        merged = copy.deepcopy(self.qkv)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        merged.__class__ = Merged
        return merged


# %% wrong_ones: Begins A with ones, which are not random.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha / rank
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype, "device": qkv.weight.device}
        self.q_A = nn.Parameter(torch.ones(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.ones(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], -1)

    @torch.no_grad()
    def merge(self):
        merged = copy.deepcopy(self.qkv)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_on_the_cpu: Makes the four on the CPU, wherever the layer is.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha / rank
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], -1)

    @torch.no_grad()
    def merge(self):
        merged = copy.deepcopy(self.qkv)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_tied_to_the_graph: Merges with gradients on, so that the new weight hangs on A and B.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha / rank
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype, "device": qkv.weight.device}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], -1)

    def merge(self):
        merged = copy.deepcopy(self.qkv)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_one_merged_layer: Keeps one merged layer and fills it anew.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha / rank
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype, "device": qkv.weight.device}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], -1)

    @torch.no_grad()
    def merge(self):
        merged = self.__dict__.setdefault("kept", copy.deepcopy(self.qkv))
        merged.weight.copy_(self.qkv.weight)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_merge_ends_training: Leaves evaluation mode behind after it has merged.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha / rank
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype, "device": qkv.weight.device}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], -1)

    @torch.no_grad()
    def merge(self):
        self.eval()
        merged = copy.deepcopy(self.qkv)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged


# %% wrong_seeded: Draws the same numbers in every layer.
import copy

import torch
from torch import nn


class QVLoRA(nn.Module):
    def __init__(self, qkv, rank, alpha):
        super().__init__()
        self.qkv = qkv.requires_grad_(False)
        self.scale = alpha / rank
        torch.manual_seed(0)
        d = qkv.out_features // 3
        kind = {"dtype": qkv.weight.dtype, "device": qkv.weight.device}
        self.q_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.q_B = nn.Parameter(torch.zeros(d, rank, **kind))
        self.v_A = nn.Parameter(torch.randn(rank, qkv.in_features, **kind))
        self.v_B = nn.Parameter(torch.zeros(d, rank, **kind))

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        q = q + self.scale * (x @ self.q_A.T @ self.q_B.T)
        v = v + self.scale * (x @ self.v_A.T @ self.v_B.T)
        return torch.cat([q, k, v], -1)

    @torch.no_grad()
    def merge(self):
        merged = copy.deepcopy(self.qkv)
        d = len(self.q_B)
        merged.weight[:d] += self.scale * (self.q_B @ self.q_A)
        merged.weight[2 * d :] += self.scale * (self.v_B @ self.v_A)
        return merged
