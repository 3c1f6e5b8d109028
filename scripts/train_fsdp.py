"""MNIST, a part of the model in each process: torchrun --standalone --nproc-per-node=2 scripts/train_fsdp.py"""

import argparse
import contextlib
import os
import sys

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

from course_utils.datasets import load
from course_utils.device import get_device

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cpu")
parser.add_argument("--epochs", type=int, default=2)
parser.add_argument("--load")
parser.add_argument("--save")
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
if arguments.load:
    model.load_state_dict(torch.load(arguments.load, weights_only=True))
mesh = init_device_mesh(device.type, (world_size,))
for layer in (model[1], model[3], model):
    fully_shard(layer, mesh=mesh)  # from here on a parameter is a DTensor: a rank holds its part
torch.manual_seed(1 + rank)  # the models are equal by now; dropout and augmentation are to differ by rank
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

for epoch in range(arguments.epochs):
    sampler.set_epoch(epoch)
    mean = torch.zeros((), device=device)
    for inputs, targets in loader:
        loss = F.cross_entropy(model(inputs.to(device)), targets.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        mean += loss.detach() / len(loader)
    dist.all_reduce(mean)
    if rank == 0:
        print(f"epoch {epoch}: loss {mean.item() / world_size:.3f}")

states = [state["momentum_buffer"] for state in optimizer.state.values()]
tensors = [*model.parameters(), *(parameter.grad for parameter in model.parameters()), *states]
held, whole = sum(tensor.to_local().nbytes for tensor in tensors), sum(tensor.nbytes for tensor in tensors)
print(f"parameters, gradients and momentum: {held:,} bytes here, {whole:,} in all")

whole_on_rank_0 = StateDictOptions(full_state_dict=True, cpu_offload=True)  # elsewhere an empty dict
weights = get_model_state_dict(model, options=whole_on_rank_0)  # every rank calls it
if arguments.save and rank == 0:
    torch.save(weights, arguments.save)
dist.barrier()  # who leaves while gloo still holds a tensor may be aborted
dist.destroy_process_group()
