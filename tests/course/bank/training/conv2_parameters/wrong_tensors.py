# Counts the tensors instead of their numbers.
import torch

conv2_parameters = len(list(torch.nn.Conv2d(20, 50, kernel_size=5).parameters()))
