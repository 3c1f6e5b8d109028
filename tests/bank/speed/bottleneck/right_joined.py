# Put together from the library and the operation.
bottleneck = "::".join(("aten", "_linalg_svd"))
