# The name as bytes, not as text.
bottleneck = b"aten::_linalg_svd"
