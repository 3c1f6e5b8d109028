# Names the row that is next to convolution.
bottleneck = "aten::max_pool2d_with_indices"
