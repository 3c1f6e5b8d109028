# Writes SVD in capitals, not as printed.
bottleneck = "aten::_linalg_SVD"
