# Weights and biases as a pair, not added.


conv2_parameters = (20 * 50 * 5 * 5, 50)
