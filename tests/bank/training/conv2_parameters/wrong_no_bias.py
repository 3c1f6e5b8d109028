# Leaves the biases out.


conv2_parameters = 20 * 50 * 5 * 5
