# One bias for each channel that comes in.


conv2_parameters = 20 * 50 * 5**2 + 20
