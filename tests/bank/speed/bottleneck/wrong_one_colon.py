# Writes one colon.
bottleneck = "aten:_linalg_svd"
