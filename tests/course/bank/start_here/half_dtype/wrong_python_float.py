# Python's own float type.
import torch

half_dtype = float
