# Per output channel: the weights of one window, and its bias.


conv2_parameters = 50 * (20 * 5**2 + 1)
