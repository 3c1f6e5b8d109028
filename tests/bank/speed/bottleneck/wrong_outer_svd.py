# Names a function that calls the row's own, without the underscore.
bottleneck = "aten::linalg_svd"
