# Gives the name with the blanks of its column, 38 characters wide.
bottleneck = f"{'aten::_linalg_svd':38}"
