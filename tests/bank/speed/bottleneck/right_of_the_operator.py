# Made from the name that torch itself gives the operator.
import torch

bottleneck = torch.ops.aten._linalg_svd.default._schema.name
