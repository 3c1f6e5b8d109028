# A single bias for the whole layer.
import math

import torch

conv2_parameters = math.prod((50, 20, 5, 5)) + 1
