# The right type, written as text.
import torch

half_dtype = "torch.float32"
