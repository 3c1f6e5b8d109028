# The type that PyTorch takes by default.
import torch

half_dtype = torch.get_default_dtype()
