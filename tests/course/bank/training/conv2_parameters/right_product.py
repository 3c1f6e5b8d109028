# The product of the weight's shape, and the bias's.
import math

import torch

conv2_parameters = math.prod([50, 20, 5, 5]) + math.prod([50])
