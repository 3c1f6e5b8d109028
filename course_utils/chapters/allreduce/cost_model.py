"""The alpha-beta model of a collective, on one kind of link and on nodes of several GPUs; NCCL's formula."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Link:
    """What a message costs: `alpha` seconds to get going, `beta` seconds for each byte."""

    alpha: float
    beta: float
    source: str = ""


@dataclass(frozen=True)
class Measured:
    """One measurement: `size` bytes, reduced over `world_size` ranks in `seconds`."""

    algorithm: str
    world_size: int
    size: int
    seconds: float


# The latencies are those of rings with protocol "Simple" in NCCL 2.20.3, src/graph/tuning.cc (hwLat, microseconds);
# the bandwidths stand in src/graph/topo.h (SM90_NVLINK_BW, 20.6 GB/s for each of 18 links) and in the data sheet
# of NVIDIA's ConnectX-7.
PUBLISHED = {
    "NVLink 4": Link(3.4e-6, 1 / (18 * 20.6e9), "NCCL 2.20.3: 3.4 us, 18 links of 20.6 GB/s (H100)"),
    "InfiniBand NDR": Link(14.0e-6, 1 / 50e9, "NCCL 2.20.3: 14 us; NVIDIA ConnectX-7: 400 Gbit/s"),
}
WAYS = ("ring", "tree", "pipelined tree", "hierarchical")


def terms(algorithm: str, size: float, *, world_size: int) -> tuple[int, float]:
    """Return (messages, bytes) that follow one another on the longest path of "naive", "ring" or "tree".

    naive: one rank receives from all others, one after the other, then sends to all of them. ring: 2(N-1) steps
    of a chunk. tree: up and down its levels, whole tensors. Raises ValueError for another name.
    """
    others, levels = world_size - 1, math.ceil(math.log2(world_size))
    if algorithm == "naive":
        return 2 * others, 2 * others * size
    if algorithm == "ring":
        return 2 * others, 2 * others / world_size * size
    if algorithm == "tree":
        return 2 * levels, 2 * levels * size
    raise ValueError(f'Found the algorithm {algorithm!r}, expected "naive", "ring" or "tree".')


def predict(link: Link, algorithm: str, *, size: float, world_size: int) -> float:
    """Return the seconds expected for an all-reduce of `size` bytes, every message over the same link."""
    messages, moved = terms(algorithm, size, world_size=world_size)
    return link.alpha * messages + link.beta * moved


def crossover(link: Link, world_size: int) -> float:
    """Return the bytes below which the tree beats the ring: there the messages it saves outweigh the bytes it adds.

    0 where it never does, as on two ranks, where both send the same number of messages or the tree fewer bytes.
    """
    ring, tree = (terms(name, 1, world_size=world_size) for name in ("ring", "tree"))
    saved, added = ring[0] - tree[0], tree[1] - ring[1]
    return link.alpha * saved / (link.beta * added) if added else 0.0


def fit(measured: Sequence[Measured]) -> Link:
    """Return the Link of least squared *relative* error over a list of `Measured`; neither cost is ever negative.

    Relative, because otherwise the largest size alone would decide. Raises ValueError for fewer than two rows.
    """
    if len(measured) < 2:
        raise ValueError(f"Found {len(measured)} measurements, expected at least two for two unknowns.")
    rows = [terms(m.algorithm, m.size, world_size=m.world_size) for m in measured]
    seconds = torch.tensor([m.seconds for m in measured], dtype=torch.float64)
    matrix = torch.tensor(rows, dtype=torch.float64) / seconds[:, None]
    scale = matrix.norm(dim=0).clamp(min=1e-300)  # bytes are 10**8 times as many as messages
    both = torch.linalg.lstsq(matrix / scale, torch.ones(len(rows), 1, dtype=torch.float64)).solution[:, 0] / scale
    if (both < 0).any():  # one cost alone explains more than all
        alone = matrix.sum(dim=0) / matrix.square().sum(dim=0).clamp(min=1e-300)
        errors = (matrix * alone - 1).square().sum(dim=0)
        both = torch.where(torch.arange(2) == errors.argmin(), alone, 0.0)
    return Link(both[0].item(), both[1].item())


def split(measured: Sequence[Measured]) -> tuple[list[Measured], list[Measured]]:
    """Return (a third to fit on, the rest to check on): of the sizes in order every third, from the second on.

    So every unseen size is next to a seen one. Of fewer than five sizes, the smallest and the largest are fitted.
    """
    sizes = sorted({m.size for m in measured})
    chosen = set(sizes[1::3] if len(sizes) > 4 else (sizes[0], sizes[-1]))
    return [m for m in measured if m.size in chosen], [m for m in measured if m.size not in chosen]


def errors(link: Link, measured: Sequence[Measured]) -> list[float]:
    """Return |predicted - measured| / measured, one for each row."""
    predicted = [predict(link, m.algorithm, size=m.size, world_size=m.world_size) for m in measured]
    return [abs(guess - m.seconds) / m.seconds for guess, m in zip(predicted, measured, strict=True)]


def fit_each(measured: Sequence[Measured]) -> tuple[dict[tuple[str, int], Link], float]:
    """Fit each (algorithm, world_size) on a third of its sizes: ({(algorithm, world_size): Link}, median error).

    The error is the median of `errors` on all rows that were not fitted on.
    """
    links, unseen = {}, []
    for key in sorted({(m.algorithm, m.world_size) for m in measured}):
        seen, rest = split([m for m in measured if (m.algorithm, m.world_size) == key])
        links[key] = fit(seen)
        unseen += errors(links[key], rest)
    return links, statistics.median(unseen)


def textbook(way: str, inside: Link, between: Link, *, size: float, world_size: int, per_node: int = 8) -> float:
    """Return the seconds that one of `WAYS` takes for `size` bytes; each hop is charged its own link.

    `inside`, `between`: the link of a GPU to the next one of its node, and to another node. A node has as many
    network cards as GPUs, and every way uses them all, side by side. ring: a chunk takes 2 (N - 1) hops, of which
    two a node leave it. tree: whole tensors, log2 levels in a node and between nodes, up and down. pipelined tree:
    the same levels, but the tensor flows through them in pieces too small to count, 2 sizes in all. hierarchical:
    reduce-scatter in each node, a ring between nodes, all-gather. ValueError for another way and nodes not full.
    """
    nodes = _nodes(world_size, per_node)
    slowest = max(inside.beta, between.beta / per_node if nodes > 1 else 0.0)  # seconds a byte, all cards together
    low, high = math.ceil(math.log2(per_node)), math.ceil(math.log2(nodes))
    levels = 2 * (low * inside.alpha + high * between.alpha)
    if way == "ring":
        near, far = _ring_hops(world_size, nodes)
        return near * inside.alpha + far * between.alpha + (near + far) / world_size * size * slowest
    if way == "tree":
        return levels + 2 * size * (low * inside.beta + high * between.beta / per_node)
    if way == "pipelined tree":
        return levels + 2 * size * slowest
    if way == "hierarchical":
        within = predict(inside, "ring", size=size, world_size=per_node)  # its two halves, taken together
        return within + predict(between, "ring", size=size / per_node, world_size=nodes)
    raise ValueError(f"Found the way {way!r}, expected one of {', '.join(WAYS)}.")


def nccl(way: str, *, size: float, world_size: int, bandwidth: float, per_node: int = 8) -> float:
    """Return the seconds that NCCL 2.20.3 expects of its "ring" or "tree", before its corrections by measurements.

    `bandwidth`: bytes a second that all channels together carry. Protocol "Simple", NVLink and InfiniBand, one ring
    or tree over all GPUs. Left out are the factors for certain sizes and processors. Errors: see `textbook`.
    Source: `ncclTopoTuneModel` in src/graph/tuning.cc.
    """
    nodes = _nodes(world_size, per_node)
    if way == "ring":
        near, far = _ring_hops(world_size, nodes)
        return 8.4e-6 + near * 3.4e-6 + far * 14e-6 + (near + far) / world_size * size / bandwidth
    if way == "tree":  # 28 us a hop: a piece of 256 KiB has to be through before the next one hands it on
        return 2 * (per_node - 1 + math.floor(math.log2(nodes))) * 28e-6 + 2 * size / (0.92 * bandwidth)
    raise ValueError(f"Found the way {way!r}, expected ring or tree.")


def _ring_hops(world_size, nodes):
    outside = 2 * nodes * (nodes > 1)  # hops of a chunk from node to node
    return 2 * (world_size - 1) - outside, outside


def _nodes(world_size, per_node):
    if world_size % per_node:
        raise ValueError(f"Found {world_size} ranks, expected a multiple of the {per_node} of a node.")
    return world_size // per_node
