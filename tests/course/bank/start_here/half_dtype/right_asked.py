# Asks the result of the division.
import torch

half_dtype = (torch.tensor([1, 2, 3]) / 2).dtype
