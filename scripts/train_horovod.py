"""MNIST on several processes, written as Horovod's users write it; runs on Horovod and on the course's `hvd` alike.

    torchrun --standalone --nproc-per-node=2 scripts/train_horovod.py
    horovodrun -np 2 --gloo -H localhost:2 python scripts/train_horovod.py --library horovod.torch

The second wants Horovod, which scripts/build_horovod.sh builds. Two ranks end with the same bits.
"""

import argparse
import hashlib
import importlib

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

from course_utils import datasets

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument(
    "--library",
    choices=("horovod.torch", "course_utils.chapters.multi_gpu.hvd"),
    default="course_utils.chapters.multi_gpu.hvd",
)
parser.add_argument("--compression", choices=("none", "fp16"), default="none")
arguments = parser.parse_args()
hvd = importlib.import_module(arguments.library)  # import horovod.torch as hvd

hvd.init()
torch.set_num_threads(1)  # the processes share this machine's cores
torch.manual_seed(hvd.rank())  # each rank begins with weights of its own, until they are broadcast
model = nn.Sequential(nn.Flatten(), nn.Linear(784, 64), nn.ReLU(), nn.Linear(64, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05 * hvd.size(), momentum=0.9)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
hvd.broadcast_optimizer_state(optimizer, root_rank=0)
optimizer = hvd.DistributedOptimizer(
    optimizer,
    named_parameters=model.named_parameters(),
    compression=getattr(hvd.Compression, arguments.compression),
)

mnist = datasets.load("mnist")
data = TensorDataset(mnist.images[:1000].unsqueeze(1) / 255, mnist.targets[:1000])
sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
for epoch in range(3):
    sampler.set_epoch(epoch)
    for inputs, targets in DataLoader(data, batch_size=25, sampler=sampler):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(inputs), targets)
        loss.backward()
        optimizer.step()
    mean = hvd.allreduce(loss.detach(), name="loss").item()
    if hvd.rank() == 0:
        print(f"epoch {epoch}: loss of the last batches {mean:.6f}\n", end="", flush=True)

weights = hashlib.sha256(b"".join(tensor.numpy().tobytes() for tensor in model.state_dict().values()))
print(f"rank {hvd.rank()} of {hvd.size()}: weights {weights.hexdigest()[:16]}\n", end="", flush=True)
hvd.shutdown()
