# One bias for each of the 20 times 50 kernels.


conv2_parameters = 50 * 20 * (5 * 5 + 1)
