# Counts the numbers of a layer made for it.
import torch

conv2_parameters = sum(p.numel() for p in torch.nn.Conv2d(20, 50, kernel_size=5).parameters())
