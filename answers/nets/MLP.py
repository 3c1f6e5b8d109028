# %% right_is_a_sequential: A subclass of Sequential that only fills itself.
import torch
from torch import nn


class MLP(nn.Sequential):
    def __init__(self, sizes):
        super().__init__()
        for i in range(len(sizes) - 1):
            if i:
                self.add_module(f"relu{i}", nn.ReLU(inplace=True))
            self.add_module(f"linear{i}", nn.Linear(sizes[i], sizes[i + 1]))


# %% right_module_dict: A dictionary of layers; ReLU of everything but the input, before each further layer.
from itertools import pairwise

import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleDict({f"layer_{i}": nn.Linear(a, b) for i, (a, b) in enumerate(pairwise(sizes))})

    def forward(self, x):
        for name, layer in self.layers.items():
            if name != "layer_0":
                x = torch.maximum(x, x.new_zeros(()))
            x = layer(x)
        return x


# %% right_own_layer: A linear layer of one's own, made of two parameters and a matrix product.
from itertools import pairwise

import torch
from torch import nn


class Dense(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        bound = n_in**-0.5
        self.weight = nn.Parameter(torch.empty(n_out, n_in).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.empty(n_out).uniform_(-bound, bound))

    def forward(self, x):
        return x @ self.weight.T + self.bias


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([Dense(a, b) for a, b in pairwise(sizes)])

    def forward(self, x):
        *hidden, last = self.layers
        for layer in hidden:
            x = layer(x).clamp_min(0)
        return last(x)


# %% right_recursive: A layer, and behind it a smaller net of the same class.
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.first = nn.Linear(sizes[0], sizes[1])
        self.rest = MLP(sizes[1:]) if len(sizes) > 2 else None

    def forward(self, x):
        x = self.first(x)
        return x if self.rest is None else self.rest(x.relu())


# %% right_sequential: One Sequential of layers and ReLUs, the last ReLU taken off again.
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        parts = []
        for n_in, n_out in zip(sizes[:-1], sizes[1:]):
            parts.extend((nn.Linear(n_in, n_out), nn.ReLU()))
        parts.pop()
        self.net = nn.Sequential(*parts)

    def forward(self, x):
        return self.net(x)


# %% right_setattr: Attributes with a number each, and torch.where for the ReLU.
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.depth = len(sizes) - 1
        for i in range(self.depth):
            setattr(self, f"fc{i + 1}", nn.Linear(sizes[i], sizes[i + 1]))

    def forward(self, x):
        for i in range(1, self.depth + 1):
            x = getattr(self, f"fc{i}")(x)
            if i != self.depth:
                x = torch.where(x > 0, x, torch.zeros_like(x))
        return x


# %% wrong_at_most_three: Input, first hidden and output size only: a deeper net loses its middle.
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        if len(sizes) == 2:
            self.net = nn.Sequential(nn.Linear(*sizes))
        else:
            self.net = nn.Sequential(nn.Linear(sizes[0], sizes[1]), nn.ReLU(), nn.Linear(sizes[1], sizes[-1]))

    def forward(self, x):
        return self.net(x)


# %% wrong_buffers: Weights and biases are buffers: saved and moved, but not trained.
from itertools import pairwise

import torch
import torch.nn.functional as F
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.depth = len(sizes) - 1
        for i, (n_in, n_out) in enumerate(pairwise(sizes)):
            layer = nn.Linear(n_in, n_out)
            self.register_buffer(f"weight{i}", layer.weight.detach())
            self.register_buffer(f"bias{i}", layer.bias.detach())

    def forward(self, x):
        for i in range(self.depth):
            x = F.linear(x, getattr(self, f"weight{i}"), getattr(self, f"bias{i}"))
            if i < self.depth - 1:
                x = F.relu(x)
        return x


# %% wrong_class_attribute: The list of layers belongs to the class: every further net lengthens it, and no net registers it.
from itertools import pairwise

import torch
from torch import nn


class MLP(nn.Module):
    layers = nn.ModuleList()

    def __init__(self, sizes):
        super().__init__()
        for n_in, n_out in pairwise(sizes):
            self.layers.append(nn.Linear(n_in, n_out))

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = torch.relu(layer(x))
        return self.layers[-1](x)


# %% wrong_dropout: Adds dropout after every ReLU: right in eval mode only.
from itertools import pairwise

import torch
import torch.nn.functional as F
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in pairwise(sizes)])
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        *hidden, last = self.layers
        for layer in hidden:
            x = self.drop(F.relu(layer(x)))
        return last(x)


# %% wrong_four_at_most: Has names for four layers only, and leaves further sizes out.
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        names = ("first", "second", "third", "fourth")
        self.names = [name for name, _ in zip(names, sizes[1:])]
        for name, n_in, n_out in zip(names, sizes, sizes[1:]):
            self.add_module(name, nn.Linear(n_in, n_out))

    def forward(self, x):
        for name in self.names:
            x = self.get_submodule(name)(x)
            if name != self.names[-1]:
                x = torch.relu(x)
        return x


# %% wrong_frozen_biases: The biases cannot be trained.
from itertools import pairwise

import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in pairwise(sizes)])
        for layer in self.layers:
            layer.bias.requires_grad_(False)

    def forward(self, x):
        h = self.layers[0](x)
        for layer in self.layers[1:]:
            h = layer(torch.relu(h))
        return h


# %% wrong_last_by_size: Knows the last layer by its number of outputs, so equal sizes lose their ReLU.
from itertools import pairwise

import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        layers = []
        for n_in, n_out in pairwise(sizes):
            layers.append(nn.Linear(n_in, n_out))
            if n_out != sizes[-1]:
                layers.append(nn.ReLU())
        self.net = nn.Sequential(*layers)

    def forward(self, x):
        return self.net(x)


# %% wrong_last_without_bias: The last layer has no bias.
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        last = len(sizes) - 2
        self.layers = nn.ModuleList(nn.Linear(sizes[i], sizes[i + 1], bias=i < last) for i in range(len(sizes) - 1))

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = layer(x).relu()
        return self.layers[-1](x)


# %% wrong_no_graph: The forward pass runs under no_grad, so the net can never be trained.
from itertools import pairwise

import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in pairwise(sizes)])

    @torch.no_grad()
    def forward(self, x):
        for layer in self.layers[:-1]:
            x = layer(x).clamp(min=0)
        return self.layers[-1](x)


# %% wrong_one_hidden_shared: Makes hidden layers of the same width once and calls that one layer repeatedly.
from itertools import pairwise

import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        made = {}
        self.layers = nn.ModuleList()
        for pair in pairwise(sizes):
            if pair not in made:
                made[pair] = nn.Linear(*pair)
            self.layers.append(made[pair])

    def forward(self, x):
        last = len(self.layers) - 1
        for i, layer in enumerate(self.layers):
            x = layer(x) if i == last else torch.relu(layer(x))
        return x


# %% wrong_only_last_trained: Detaches the hidden numbers, so only the last layer gets a gradient.
from itertools import pairwise

import torch
import torch.nn.functional as F
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.hidden = nn.ModuleList([nn.Linear(a, b) for a, b in pairwise(sizes[:-1])])
        self.out = nn.Linear(*sizes[-2:])

    def forward(self, x):
        for layer in self.hidden:
            x = F.relu(layer(x)).detach()
        return self.out(x)


# %% wrong_output_first: Registers the output layer before the hidden ones; the numbers come out right.
from itertools import pairwise

import torch
import torch.nn.functional as F
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.out = nn.Linear(sizes[-2], sizes[-1])
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(sizes[:-1]))

    def forward(self, x):
        for layer in self.hidden:
            x = F.relu(layer(x))
        return self.out(x)


# %% wrong_pops_sizes: Eats the caller's list of sizes while it makes the layers.
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList()
        while len(sizes) > 1:
            self.layers.append(nn.Linear(sizes.pop(0), sizes[0]))

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = torch.relu(layer(x))
        return self.layers[-1](x)


# %% wrong_relu6: ReLU6 cuts off at 6: right as long as the activations are small.
from itertools import pairwise

import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        parts = [nn.Linear(sizes[0], sizes[1])]
        for n_in, n_out in pairwise(sizes[1:]):
            parts += [nn.ReLU6(), nn.Linear(n_in, n_out)]
        self.parts = nn.Sequential(*parts)

    def forward(self, x):
        return self.parts(x)


# %% wrong_relu_first: A ReLU in front of every layer, so the input loses its negative numbers too.
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))

    def forward(self, x):
        for layer in self.layers:
            x = layer(torch.relu(x))
        return x


# %% wrong_relu_on_single_layer: A net of one layer gets a ReLU after all.
from itertools import pairwise

import torch
import torch.nn.functional as F
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.first = nn.Linear(sizes[0], sizes[1])
        self.rest = nn.ModuleList([nn.Linear(a, b) for a, b in pairwise(sizes[1:])])

    def forward(self, x):
        x = F.relu(self.first(x))
        for i, layer in enumerate(self.rest):
            x = layer(x)
            if i < len(self.rest) - 1:
                x = F.relu(x)
        return x


# %% wrong_same_name: Names each layer after its two sizes: a second layer of the same sizes takes the place of the first.
from itertools import pairwise

import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.order = []
        for n_in, n_out in pairwise(sizes):
            name = f"fc{n_in}to{n_out}"
            setattr(self, name, nn.Linear(n_in, n_out))
            self.order.append(name)

    def forward(self, x):
        for name in self.order[:-1]:
            x = torch.relu(getattr(self, name)(x))
        return getattr(self, self.order[-1])(x)


# %% wrong_spare_layer: Registers one more layer than there are steps between sizes, and never calls it.
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList()
        for i, n_in in enumerate(sizes):
            n_out = sizes[min(i + 1, len(sizes) - 1)]
            self.layers.append(nn.Linear(n_in, n_out))

    def forward(self, x):
        for layer in self.layers[:-2]:
            x = torch.relu(layer(x))
        return self.layers[-2](x)


# %% wrong_squeezed: Squeezes the result: a batch of one, or one output, loses its axis.
from itertools import pairwise

import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in pairwise(sizes)])

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            x = layer(x)
            if i + 1 < len(self.layers):
                x = torch.relu(x)
        return x.squeeze()


# %% wrong_clipped: Clips what goes into a hidden layer at plus and minus ten.
from itertools import pairwise

import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in pairwise(sizes)])

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = torch.relu(layer(x.clamp(-10, 10)))
        return self.layers[-1](x)


# %% wrong_view: Looks at the batch as rows in memory, which every second row of a table is not.
from itertools import pairwise

import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.n_in = sizes[0]
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in pairwise(sizes)])

    def forward(self, x):
        x = x.view(-1).view(-1, self.n_in)
        for layer in self.layers[:-1]:
            x = torch.relu(layer(x))
        return self.layers[-1](x)


# %% wrong_list_only: Adds lists, so a tuple of sizes raises.
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        padded = sizes + [None]
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in zip(padded, padded[1:]) if b])

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = torch.relu(layer(x))
        return self.layers[-1](x)


# %% wrong_named_by_width: A dictionary of layers by their width: a width that comes again takes the former's place.
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.widths = [str(size) for size in sizes[1:]]
        self.layers = nn.ModuleDict()
        for n_in, n_out in zip(sizes, sizes[1:]):
            self.layers[str(n_out)] = nn.Linear(n_in, n_out)

    def forward(self, x):
        for number, width in enumerate(self.widths):
            x = self.layers[width](torch.relu(x) if number else x)
        return x


# %% wrong_python_list: The layers sit in a plain list and are never registered.
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = [nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])]

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            x = layer(x)
            if i < len(self.layers) - 1:
                x = torch.relu(x)
        return x


# %% wrong_relu_single: A net of one layer gets a ReLU after it.
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.first = nn.Linear(sizes[0], sizes[1])
        self.rest = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes[1:-1], sizes[2:]))

    def forward(self, x):
        x = torch.relu(self.first(x))
        for layer in self.rest[:-1]:
            x = torch.relu(layer(x))
        return self.rest[-1](x) if len(self.rest) else x


# %% wrong_last_first: The output layer is registered before the hidden ones.
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.out = nn.Linear(sizes[-2], sizes[-1])
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes[:-2], sizes[1:-1]))

    def forward(self, x):
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.out(x)


# %% wrong_shared: Layers of the same shape are one and the same layer.
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.keys = [f"{a}to{b}" for a, b in zip(sizes, sizes[1:])]
        self.layers = nn.ModuleDict({f"{a}to{b}": nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])})

    def forward(self, x):
        for key in self.keys[:-1]:
            x = torch.relu(self.layers[key](x))
        return self.layers[self.keys[-1]](x)


# %% wrong_eats_sizes: The caller's list of sizes is emptied (and a tuple has no pop).
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        layers = []
        a = sizes.pop(0)
        while sizes:
            b = sizes.pop(0)
            layers += [nn.Linear(a, b), nn.ReLU()]
            a = b
        self.net = nn.Sequential(*layers[:-1])

    def forward(self, x):
        return self.net(x)


# %% wrong_relu6_again: ReLU6 cuts large values off at 6.
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        layers = []
        for a, b in zip(sizes, sizes[1:]):
            layers += [nn.Linear(a, b), nn.ReLU6()]
        self.net = nn.Sequential(*layers[:-1])

    def forward(self, x):
        return self.net(x)


# %% wrong_only_last_trains: The hidden activations are detached, so only the last layer is ever trained.
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = torch.relu(layer(x)).detach()
        return self.layers[-1](x)


# %% wrong_squeeze: A batch of one, or a last size of 1, loses its axis.
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = torch.relu(layer(x))
        return self.layers[-1](x).squeeze()


# %% right_recursive_again: A layer and a smaller MLP inside it.
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.head = nn.Linear(sizes[0], sizes[1])
        self.tail = nn.Sequential(nn.ReLU(inplace=True), type(self)(sizes[1:])) if len(sizes) > 2 else nn.Identity()

    def forward(self, x):
        return self.tail(self.head(x))


# %% right_is_a_sequential_again: The class is a Sequential of layers and reuses one ReLU.
from itertools import pairwise
from torch import nn


class MLP(nn.Sequential):
    def __init__(self, sizes):
        relu = nn.ReLU()
        parts = []
        for a, b in pairwise(sizes):
            parts += [relu, nn.Linear(a, b)]
        super().__init__(*parts[1:])

    def forward(self, x):
        return super().forward(x)


# %% right_add_module: Numbered by add_module, folded by reduce.
from functools import reduce
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        for i in range(len(sizes) - 1):
            self.add_module(f"fc{i}", nn.Linear(in_features=sizes[i], out_features=sizes[i + 1]))

    def forward(self, x):
        first, *others = self.children()
        return reduce(lambda h, layer: layer(h.relu()), others, first(x))


# %% wrong_layers_kept_for_all: A dictionary outside the class keeps layers by place and sizes: two nets share them.
import torch
from torch import nn

KEPT = {}


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        keys = list(enumerate(zip(sizes, sizes[1:])))
        self.layers = nn.ModuleList([KEPT.setdefault(key, nn.Linear(*key[1])) for key in keys])

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = layer(x).relu()
        return self.layers[-1](x)


# %% wrong_eaten_layers: Takes the layers out of a list while it runs, so that the second run has none.
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])])
        self.queue = list(self.layers)

    def forward(self, x):
        while len(self.queue) > 1:
            x = self.queue.pop(0)(x).relu()
        return self.queue.pop()(x)


# %% wrong_sorted_names: Runs through the layers in the order of their names, where 10 comes before 2.
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        for number in range(len(sizes) - 1):
            self.add_module(f"layer{number}", nn.Linear(sizes[number], sizes[number + 1]))

    def forward(self, x):
        names = sorted(name for name, _ in self.named_children())
        for name in names[:-1]:
            x = self.get_submodule(name)(x).relu()
        return self.get_submodule(names[-1])(x)


# %% wrong_slight_leak: A millionth of what is negative comes through.
import torch
import torch.nn.functional as F
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])])

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = F.leaky_relu(layer(x), 1e-6)
        return self.layers[-1](x)


# %% wrong_straight_through: ReLU forwards, but backwards as if it were not there.
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])])

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = layer(x)
            x = x + (x.relu() - x).detach()
        return self.layers[-1](x)


# %% wrong_training_only: The ReLUs are left out in eval mode.
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])])

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = layer(x)
            x = x.relu() if self.training else x
        return self.layers[-1](x)
