# Gives a list with the name.
bottleneck = ["aten::_linalg_svd"]
