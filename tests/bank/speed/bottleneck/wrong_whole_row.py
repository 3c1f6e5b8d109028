# Gives the whole row of the table.
bottleneck = "aten::_linalg_svd                         439.3     441.3     15"
