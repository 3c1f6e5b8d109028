# Puts the bias inside the bracket: it is multiplied by all the rest.


conv2_parameters = 20 * 5 * 5 * (50 + 1)
