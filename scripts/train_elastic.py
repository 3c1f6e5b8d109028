"""MNIST that goes on after a death: torchrun --nproc-per-node=2 --max-restarts=1 scripts/train_elastic.py FILE"""

import argparse
import contextlib
import hashlib
import os
import sys
from pathlib import Path

import psutil
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

from course_utils.checkpoint import load_checkpoint, save_checkpoint
from course_utils.datasets import load
from course_utils.device import get_device

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cpu")
parser.add_argument("--epochs", type=int, default=2)
parser.add_argument("checkpoint", help="where to save, and to go on from if it is there")
parser.add_argument("--die-at", type=int, help="the step at which the last rank kills itself, once")
arguments = parser.parse_args()
device, backend = get_device(arguments.device), "gloo"
if device.type == "cuda":  # a GPU for each rank, if there are enough: NCCL wants no two ranks on one
    gpus = torch.cuda.device_count()
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]) % gpus)
    backend = "nccl" if int(os.environ["LOCAL_WORLD_SIZE"]) <= gpus else "gloo"
dist.init_process_group(backend)
rank, world_size = dist.get_rank(), dist.get_world_size()

torch.manual_seed(0)
with contextlib.redirect_stdout(sys.stderr):  # where the pictures are
    mnist = load("mnist")
data = TensorDataset(mnist.images[:1200].unsqueeze(1) / 255, mnist.targets[:1200])
sampler = DistributedSampler(data)
loader = DataLoader(data, batch_size=60 // world_size, sampler=sampler)

model = nn.Sequential(nn.Flatten(), nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10)).to(device)
model = DistributedDataParallel(model, device_ids=[torch.cuda.current_device()] if device.type == "cuda" else None)
torch.manual_seed(1 + rank)  # the models are equal by now; dropout and augmentation are to differ by rank
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
done = 0  # steps, since the beginning of the first epoch
if Path(arguments.checkpoint).exists():  # saved by rank 0, read by all: the same file on every node
    done = load_checkpoint(arguments.checkpoint, model=model.module, optimizer=optimizer)["step"]
    print(f"goes on after step {done}")

for epoch in range(done // len(loader), arguments.epochs):
    sampler.set_epoch(epoch)  # the order hangs on the epoch alone: a second life deals the same batches
    for step, (inputs, targets) in enumerate(loader, 1 + epoch * len(loader)):
        if step <= done:
            continue
        if step == arguments.die_at and rank == world_size - 1 and done == 0:  # in the first life only
            psutil.Process().kill()
        loss = F.cross_entropy(model(inputs.to(device)), targets.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if rank == 0 and step % 10 == 0:
            save_checkpoint(arguments.checkpoint, model=model.module, optimizer=optimizer, epoch=epoch, step=step)

weights = b"".join(tensor.cpu().numpy().tobytes() for tensor in model.state_dict().values())
print(f"weights at the end: {hashlib.sha256(weights).hexdigest()[:16]}")
dist.barrier()  # who leaves while gloo still holds a tensor may be aborted
dist.destroy_process_group()
