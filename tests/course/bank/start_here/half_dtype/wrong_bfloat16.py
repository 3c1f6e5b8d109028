# The short float of the training guides.
import torch

half_dtype = torch.bfloat16
