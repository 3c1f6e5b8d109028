# Adds the channels instead of multiplying them.


conv2_parameters = (20 + 50) * 5 * 5 + 50
