# Gives bytes.
bottleneck = b"aten::_linalg_svd"
