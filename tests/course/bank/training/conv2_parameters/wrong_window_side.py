# Counts one side of the window only.


conv2_parameters = 50 * (20 * 5 + 1)
