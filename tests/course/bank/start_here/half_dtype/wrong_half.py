# float16, since a half sounds like half precision.
import torch

half_dtype = torch.float16
