# Both channel counts get biases.


conv2_parameters = 20 * 50 * 5 * 5 + 50 + 20
