# The divided tensor itself instead of its type.
import torch

half_dtype = torch.tensor([1, 2, 3]) / 2
