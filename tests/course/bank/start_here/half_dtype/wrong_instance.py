# A number of the right type instead of the type.
import torch

half_dtype = torch.ones((), dtype=torch.float32)
