"""Two published MNIST recipes, written anew in float32: what mnist_record.py is measured against.

`train_mnist_fast`: step 8 of https://github.com/tuomaso/train_mnist_fast. `pytorch_examples`: the mnist example of
https://github.com/pytorch/examples. Each takes uint8 pictures (N, 28, 28) and their targets (N,).
"""

import time

import torch
import torch.nn.functional as F
from torch import nn
from torchvision import transforms


def normalised(images):
    """uint8 (N, 28, 28) -> (N, 1, 28, 28) of mean 0 and standard deviation 1 over the training set."""
    return ((images.float() / 255 - 0.1307) / 0.3081).unsqueeze(1)


class Published(nn.Sequential):
    """A published net behind its normalisation, which it does to raw pictures."""

    def forward(self, images):
        return super().forward(normalised(images))


def train_mnist_fast(images, targets):
    pool = lambda: (nn.MaxPool2d(2), nn.ReLU())  # noqa: E731
    model = Published(
        nn.Conv2d(1, 24, 5), *pool(), nn.Conv2d(24, 32, 3), *pool(), nn.Flatten(), nn.Linear(800, 256), nn.ReLU(),
        nn.Linear(256, 10),
    )  # fmt: skip
    order = torch.randperm(len(images))
    inputs, targets = normalised(images[order]), targets[order]
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2, betas=(0.7, 0.9))
    batches = list(zip(inputs.split(256), targets.split(256), strict=True))
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 1e-2, total_steps=len(batches))
    for batch, wanted in batches:
        loss = F.cross_entropy(nn.Sequential.forward(model, batch), wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
    return model


def pytorch_examples(images, targets, score, *, goal):
    """Per-sample loading by DataLoader as published; (seconds, accuracy) of the first epoch that reaches the goal.

    Without one in the fourteen that it has, those of the last. `score(model)`: a percentage.
    """
    model = nn.Sequential(
        nn.Conv2d(1, 32, 3), nn.ReLU(), nn.Conv2d(32, 64, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Dropout(0.25),
        nn.Flatten(), nn.Linear(9216, 128), nn.ReLU(), nn.Dropout(0.5), nn.Linear(128, 10),
    )  # fmt: skip
    prepare = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.1307,), (0.3081,))])
    pictures = [(prepare, image.numpy(), int(target)) for image, target in zip(images, targets, strict=True)]
    gather = lambda rows: (torch.stack([f(i[:, :, None]) for f, i, _ in rows]), torch.tensor([t for *_, t in rows]))  # noqa: E731
    loader = torch.utils.data.DataLoader(pictures, 64, shuffle=True, collate_fn=gather)
    optimizer, seconds = torch.optim.Adadelta(model.parameters(), lr=1.0), 0.0
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, gamma=0.7)
    for epoch in range(1, 15):
        model.train()
        start = time.perf_counter()
        for batch, wanted in loader:
            optimizer.zero_grad()
            F.cross_entropy(model(batch), wanted).backward()
            optimizer.step()
        scheduler.step()
        seconds += time.perf_counter() - start
        model.eval()
        reached = score(lambda x: model(normalised(x)))
        print(f"pytorch/examples, epoch {epoch}: {reached:.2f} % after {seconds:.1f} s", flush=True)
        if reached >= goal:
            break
    return seconds, reached
