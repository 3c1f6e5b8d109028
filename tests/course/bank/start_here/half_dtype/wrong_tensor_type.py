# The old name of a tensor's type, not a dtype.
import torch

half_dtype = torch.FloatTensor
