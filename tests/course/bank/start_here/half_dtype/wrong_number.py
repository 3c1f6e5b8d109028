# The value of one half, not its type.
import torch

half_dtype = 0.5
