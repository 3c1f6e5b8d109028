# A complex type, which holds fractions as well.
import torch

half_dtype = torch.complex64
