# Each output channel looks at one input channel only, as with groups.
import torch

conv2_parameters = sum(p.numel() for p in torch.nn.Conv2d(50, 50, 5, groups=50).parameters())
