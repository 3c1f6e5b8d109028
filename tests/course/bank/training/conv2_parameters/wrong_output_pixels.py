# A bias for each of the 8 times 8 places too.


conv2_parameters = 50 * 20 * 25 + 50 * 8 * 8
