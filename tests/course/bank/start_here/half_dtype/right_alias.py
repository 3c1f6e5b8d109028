# Its other name.
import torch

half_dtype = torch.float
