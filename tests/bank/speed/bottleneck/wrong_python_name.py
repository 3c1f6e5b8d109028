# Gives the name in Python, not the table's.
bottleneck = "torch.linalg.matrix_norm"
