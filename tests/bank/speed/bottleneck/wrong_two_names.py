# Gives two names in one string.
bottleneck = "aten::_linalg_svd, aten::fill_"
