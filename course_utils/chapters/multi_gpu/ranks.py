"""What chapter 10's ranks do: functions that its cells hand to `run_ranks`, called as `function(rank, ...)`.

A process group is there already, and is destroyed afterwards; only `by_hand`, which `spawn` calls, sees to both.
"""

from pathlib import Path

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from course_utils.checkpoint import load_checkpoint, save_checkpoint


def small_model(norm=None, *, dtype=torch.float64, seed=0):
    """784 pixels, 32 hidden units, 10 classes; `norm`: a module for the hidden units."""
    torch.manual_seed(seed)
    layers = nn.Linear(784, 32), norm or nn.Identity(), nn.ReLU(), nn.Linear(32, 10)
    return nn.Sequential(nn.Flatten(), *layers).to(dtype)


def share(tensor, rank, world_size):
    """This rank's part of a batch: equal parts, in order."""
    return tensor.chunk(world_size)[rank]


def by_hand(rank, world_size, meeting_point, folder):
    """What `spawn` leaves to you: a group from a meeting point, and a file for the result."""
    store = dist.FileStore(meeting_point, world_size)
    dist.init_process_group("gloo", store=store, rank=rank, world_size=world_size)
    number = torch.tensor([10.0 + rank])
    dist.all_reduce(number)
    (Path(folder) / f"rank{rank}.txt").write_text(f"rank {rank} of {world_size}: sum {number.item():g}\n")
    dist.destroy_process_group()


def in_turn(rank, *jobs):
    """Several jobs in one launch, each `(function, arguments)`; a list of their results."""
    return [function(rank, *arguments) for function, arguments in jobs]


def losses_seen(rank, images, targets):
    """(loss of this rank's share, mean over the ranks): what a log may show, and what it should."""
    world_size = dist.get_world_size()
    model = small_model()
    loss = F.cross_entropy(model(share(images, rank, world_size)), share(targets, rank, world_size)).detach()
    own = loss.item()
    dist.all_reduce(loss)  # every rank calls it, also those that will not print
    return own, (loss / world_size).item()


def look_for_file(rank, path, wait):
    """Rank 0 fetches a file that all ranks read; what this rank found. `wait`: meet at a barrier before reading.

    Without `wait`, the fetching lasts until every other rank has looked: a slow network, made certain.
    """
    path, looked = Path(path), torch.zeros(1)
    if rank == 0:
        if not wait:
            for other in range(1, dist.get_world_size()):
                dist.recv(looked, src=other)
        path.write_text("the data set")
    if wait:
        dist.barrier()
    try:
        found = path.read_text()
    except FileNotFoundError as error:
        found = type(error).__name__
    if rank and not wait:
        dist.send(looked, dst=0)
    dist.barrier()
    return found


def train_together(rank, images, targets, paths):
    """Three steps on this rank's shares of one batch; `paths`: (checkpoint to load or None, to save or None).

    Returns the weights as one vector; on how many ranks the checkpoint was made plays no part.
    """
    world_size, (old, new) = dist.get_world_size(), paths
    model = small_model(seed=rank)  # different on purpose: DDP sends rank 0's weights to all
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    if old:
        load_checkpoint(old, model=model, optimizer=optimizer)
    ddp = DistributedDataParallel(model)
    for _ in range(3):
        optimizer.zero_grad()
        F.cross_entropy(ddp(share(images, rank, world_size)), share(targets, rank, world_size)).backward()
        optimizer.step()
    if new and rank == 0:
        save_checkpoint(new, model=ddp.module, optimizer=optimizer)  # unwrapped, tensors on the CPU
    dist.barrier()  # nobody goes on, or loads, before the file is whole
    return nn.utils.parameters_to_vector(model.parameters()).detach()


def uneven(rank, batches, divide_by_all):
    """A weight whose gradient is 1 on each rank, after `batches[rank]` steps of rate 1 under `join`."""
    model = nn.Linear(1, 1, bias=False)
    nn.init.zeros_(model.weight)
    ddp = DistributedDataParallel(model)
    optimizer = torch.optim.SGD(ddp.parameters(), lr=1.0)
    with ddp.join(divide_by_initial_world_size=divide_by_all):
        for _ in range(batches[rank]):
            optimizer.zero_grad()
            ddp(torch.ones(1, 1)).sum().backward()
            optimizer.step()
    return model.weight.item()


def uneven_without_join(rank, batches):
    """The average that DDP takes in `backward`, without `join`: who has more batches waits for one who left."""
    gradient = torch.ones(3)
    for _ in range(batches[rank]):
        dist.all_reduce(gradient)
    return "finished"


def on_gpu(rank, images, targets):
    """The averaged gradient with model and batch on the first GPU, which the ranks share; a vector on the CPU."""
    world_size = dist.get_world_size()
    ddp = DistributedDataParallel(small_model().to("cuda:0"))
    own, wanted = (share(part, rank, world_size).to("cuda:0") for part in (images, targets))
    F.cross_entropy(ddp(own), wanted).backward()
    return torch.cat([parameter.grad.flatten() for parameter in ddp.parameters()]).cpu()
