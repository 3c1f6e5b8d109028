# The name as the table prints it.
bottleneck = "aten::_linalg_svd"
