# Whole numbers of 32 bits, as in C.
import torch

half_dtype = torch.int32
