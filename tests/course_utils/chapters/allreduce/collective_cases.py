"""What the ranks of test_collectives, test_traffic and test_shared_memory do: functions for `run_ranks`."""

import gc
import os
import random
from functools import partial
from pathlib import Path

import torch
import torch.distributed as dist
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from course_utils.chapters.allreduce.collectives import PIECE, all_reduce_naive, all_reduce_ring, all_reduce_tree
from course_utils.chapters.allreduce.shared_memory import SharedMemoryAllReduce
from course_utils.chapters.allreduce.traffic import Traffic
from course_utils.chapters.allreduce.windows import WINDOW

OURS = (all_reduce_naive, all_reduce_ring, all_reduce_tree)
OPS = {"sum": dist.ReduceOp.SUM, "mean": dist.ReduceOp.AVG, "max": dist.ReduceOp.MAX}
MOST = 5  # ranks
LAYOUTS = ("row", "strided", "transposed", "inside", "scalar")
SPECIAL = (float("inf"), float("-inf"), float("nan"), -0.0)
CASES = st.fixed_dictionaries(
    {
        "world_size": st.integers(1, MOST),
        "length": st.sampled_from([0, 1, 2, 3, 4, 5, 7, 97]) | st.integers(0, 3000),
        "dtype": st.sampled_from(["float32", "float64", "bfloat16", "int64"]),
        "op": st.sampled_from(list(OPS)),
        "layout": st.sampled_from(LAYOUTS),
        "special": st.booleans(),
        "seed": st.integers(0, 2**20),
    }
).filter(lambda case: case["op"] != "mean" or case["dtype"] != "int64")


def explicit_cases():
    """What no run may miss."""
    case = {"dtype": "float32", "op": "sum", "layout": "row", "special": False, "seed": 0}
    for world_size in range(1, MOST + 1):
        for length in (0, 1, world_size - 1, 13):
            yield case | {"world_size": world_size, "length": length}
    for length in (WINDOW // 4, WINDOW // 4 + 1, 3 * WINDOW // 4 - 1):  # whole windows, and a last one that is not
        yield case | {"world_size": 3, "length": length, "op": "mean"}
    yield case | {"world_size": 2, "length": PIECE // 2 + 5}  # chunks of several pieces


def values_of(case, rank):
    """What a rank brings: a flat tensor, the same at every rank that asks for it."""
    draw, dtype = torch.Generator().manual_seed(case["seed"] + 7919 * rank), getattr(torch, case["dtype"])
    length = 1 if case["layout"] == "scalar" else case["length"]
    if not dtype.is_floating_point:
        return torch.randint(-(10**9), 10**9, (length,), generator=draw, dtype=dtype)
    values = torch.randn(length, generator=draw, dtype=torch.float64).to(dtype)
    pick = random.Random(case["seed"] + rank)
    if case["special"] and length:
        for _ in range(3):
            values[pick.randrange(length)] = pick.choice(SPECIAL)
    return values


def laid_out(values, layout):
    """(the values as a tensor of that layout, all that surrounds it, with room of 77 between)."""
    length = len(values)
    if layout == "strided":
        around = torch.full((2 * length + 1,), 77, dtype=values.dtype)
        tensor = around[1::2]
    elif layout == "transposed":
        around = torch.full((length, 3), 77, dtype=values.dtype)
        tensor = around[:, 1:2].t()
    else:
        around = torch.full((length + 2,), 77, dtype=values.dtype)
        tensor = around[1:-1].view(()) if layout == "scalar" else around[1:-1]
    tensor.copy_(values.view(tensor.shape))
    return tensor, around


def run_case(case, rank, group, shared):
    """By way: the bits of the result at this rank; or what went wrong, in words."""
    found, op = {}, OPS[case["op"]]
    values = values_of(case, rank)
    ways = {way.__name__: lambda tensor, way=way: way(tensor, op=op, group=group) for way in OURS}
    ways["shared memory"] = lambda tensor: shared(tensor, op=op)
    if (
        op != dist.ReduceOp.AVG and not case["special"]
    ):  # gloo knows no mean, and does not say what it does with NaN
        ways["gloo"] = lambda tensor: dist.all_reduce(tensor, op=op, group=group)
    for name, way in ways.items():
        layout = "row" if name == "gloo" else case["layout"]
        tensor, around = laid_out(values, layout)
        untouched = (around == 77).sum() - (tensor == 77).sum()
        assert way(tensor) is None
        if (around == 77).sum() - (tensor == 77).sum() != untouched:
            found[name] = "wrote beside the tensor"
        found.setdefault(name, bits(tensor))
    if case["length"] and case["layout"] == "row" and values.nbytes <= 2**15:
        tensor = shared.room[: values.nbytes].view(values.dtype)
        tensor.copy_(values)
        shared(tensor, op=op)
        found["shared memory, no copy"] = bits(tensor)
    return found


def bits(tensor):
    return bytes(tensor.clone(memory_format=torch.contiguous_format).view(-1).view(torch.uint8).numpy())


def judge(case, found_by_rank):
    """Raises AssertionError unless all ranks have the same bits, and those are right."""
    inputs = [values_of(case, rank) for rank in range(case["world_size"])]
    exact = inputs[0].dtype == torch.int64 or case["op"] == "max"
    stacked = torch.stack(inputs) if exact else torch.stack(inputs).double()
    right = {"sum": lambda x: x.sum(0), "mean": lambda x: x.mean(0), "max": lambda x: x.amax(0)}[case["op"]](
        stacked
    )
    for way, mine in found_by_rank[0].items():
        for rank, found in enumerate(found_by_rank):
            assert not isinstance(found[way], str), f"{way}, rank {rank}: {found[way]}"
            assert found[way] == mine, f"{way}: rank {rank} has other bits than rank 0"
        result = torch.frombuffer(bytearray(mine), dtype=inputs[0].dtype) if mine else inputs[0][:0]
        if exact:
            assert torch.equal(result.nan_to_num(12345.0), right.nan_to_num(12345.0)), f"{way}: {result} != {right}"
        else:
            room = 2 * len(inputs) * torch.finfo(inputs[0].dtype).eps * stacked.nan_to_num(0, 0, 0).abs().sum(0)
            same = torch.isclose(result.double(), right, rtol=0, atol=0, equal_nan=True)
            assert (same | ((result.double() - right).abs() <= room)).all(), f"{way}: {result} != {right}"


def properties(rank, examples):
    """Rank 0 lets hypothesis draw cases and shrink what fails; all ranks run each; the number of cases run."""
    groups = {size: dist.new_group(list(range(size))) for size in range(1, MOST + 1)}
    shared = {size: SharedMemoryAllReduce(2**15, group=groups[size]) for size in groups if rank < size}
    for reduce in shared.values():
        reduce.room = reduce.empty(2**15, dtype=torch.uint8)
    count = 0

    def run(case):
        nonlocal count
        count += 1
        dist.broadcast_object_list([case], src=0)
        everyone = [None] * MOST
        dist.gather_object(answer(case), everyone, dst=0)
        try:
            judge(case, everyone[: case["world_size"]])
        except AssertionError as error:
            raise AssertionError(f"{error}, in the case {case}") from error

    def answer(case):
        size = case["world_size"]
        return run_case(case, rank, groups[size], shared[size]) if rank < size else None

    if rank == 0:
        try:
            for case in explicit_cases():
                run(case)
            quiet = {"deadline": None, "database": None, "suppress_health_check": list(HealthCheck)}
            settings(max_examples=examples, derandomize=True, **quiet)(given(CASES)(run))()
        finally:
            dist.broadcast_object_list([None], src=0)
        return count
    while True:
        box = [None]
        dist.broadcast_object_list(box, src=0)
        if box[0] is None:
            return None
        dist.gather_object(answer(box[0]), None, dst=0)


def counted(rank, lengths):
    """By (ranks, way, length): (bytes, messages, events) of this rank."""
    found = {}
    for size in range(1, dist.get_world_size() + 1):
        group = dist.new_group(list(range(size)))
        for way in OURS if rank < size else ():
            for length in lengths:
                with Traffic() as traffic:
                    way(torch.ones(length), group=group)
                found[size, way.__name__, length] = traffic.bytes, traffic.messages, traffic.events
    before = dist.isend, dist.send, dist.recv, dist.irecv
    with Traffic() as traffic:  # by positions, as people write it too; and nothing is counted twice
        if rank == 0:
            dist.send(torch.arange(4.0)[1:], 1)
        elif rank == 1:
            dist.irecv(torch.empty(3), 0).wait()
    found["positional"] = traffic.bytes, traffic.messages, traffic.events
    assert (dist.isend, dist.send, dist.recv, dist.irecv) == before
    return found


def lifetime(rank):
    """What the ranks see of the segment, from its making to its end."""
    seen = {}
    places = [Path("/dev/shm"), Path(os.environ.get("TMPDIR", "/tmp"))]
    names = lambda: {str(path) for place in places for path in place.glob("all-reduce*")}  # noqa: E731
    before = names()
    reduce = SharedMemoryAllReduce(2**20, timeout=1.5)
    seen["new names"] = sorted(names() - before)
    seen["mapped"] = mapped()
    tensor, other = reduce.empty(3, 5), reduce.empty(7, dtype=torch.float64)
    seen["shapes"] = tuple(tensor.shape), other.dtype, tensor.data_ptr() % 64, other.data_ptr() % 64
    tensor.fill_(rank)
    reduce(tensor, op=dist.ReduceOp.MAX)
    seen["in the segment"] = tensor.unique().tolist()
    reduce(
        tensor.t(), op=dist.ReduceOp.AVG
    )  # not in a row, so it goes through the windows; written back all the same
    for name, wrong in (
        ("full", partial(reduce.empty, 2**20)),
        ("shape", partial(reduce, torch.ones(3 + rank))),
        ("place", partial(reduce, tensor if rank else torch.ones(3, 5))),
        ("dtype", partial(reduce, torch.ones(3, dtype=torch.float64 if rank else torch.float32))),
        ("op", partial(reduce, torch.ones(3), op=dist.ReduceOp.MAX if rank else dist.ReduceOp.SUM)),
    ):
        try:
            wrong()
            seen[name] = "nothing was raised"
        except ValueError as error:
            seen[name] = str(error)
    reduce(other.fill_(1))
    seen["afterwards"] = other.tolist()
    with torch.no_grad():
        weight = torch.nn.Parameter(torch.ones(2))
    reduce(weight)
    seen["parameter"] = weight.tolist()
    dist.barrier()
    if rank == 0:
        try:
            reduce(torch.ones(2))  # the other rank does not come
        except TimeoutError as error:
            seen["late"] = str(error)
        try:
            reduce(torch.ones(2))
        except RuntimeError as error:
            seen["broken"] = str(error)
    dist.barrier()
    reduce.close()
    tensor.fill_(5)  # alive as long as somebody holds it
    seen["kept"] = tensor.sum().item()
    del tensor, other, reduce, wrong
    gc.collect()
    seen["mapped at the end"] = mapped()
    return seen


def mapped():
    """Lines of this process's memory map that name the segment (Linux; elsewhere none)."""
    maps = Path("/proc/self/maps")
    lines = maps.read_text(encoding="utf-8").splitlines() if maps.exists() else []
    return [line for line in lines if "all-reduce" in line]
