# A yes: it is a fraction.
import torch

half_dtype = True
