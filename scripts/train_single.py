"""MNIST in one process: python scripts/train_single.py"""

import argparse
import contextlib
import sys

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, RandomSampler, TensorDataset

from course_utils.datasets import load
from course_utils.device import get_device

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cpu")
parser.add_argument("--epochs", type=int, default=2)
parser.add_argument("--load")
parser.add_argument("--save")
arguments = parser.parse_args()
device = get_device(arguments.device)

torch.manual_seed(0)
with contextlib.redirect_stdout(sys.stderr):  # where the pictures are
    mnist = load("mnist")
data = TensorDataset(mnist.images[:1200].unsqueeze(1) / 255, mnist.targets[:1200])
sampler = RandomSampler(data, generator=torch.Generator())
loader = DataLoader(data, batch_size=60, sampler=sampler)

model = nn.Sequential(nn.Flatten(), nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10)).to(device)
if arguments.load:
    model.load_state_dict(torch.load(arguments.load, weights_only=True))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

for epoch in range(arguments.epochs):
    sampler.generator.manual_seed(epoch)
    mean = torch.zeros((), device=device)
    for inputs, targets in loader:
        loss = F.cross_entropy(model(inputs.to(device)), targets.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        mean += loss.detach() / len(loader)
    print(f"epoch {epoch}: loss {mean.item():.3f}")
if arguments.save:
    torch.save({name: tensor.cpu() for name, tensor in model.state_dict().items()}, arguments.save)
