# Leaves aten:: out.
bottleneck = "_linalg_svd"
