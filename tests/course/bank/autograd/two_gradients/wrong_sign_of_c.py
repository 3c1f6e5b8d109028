# Takes c for 6: the minus sign of b is lost on the way.
a, b, c = 3, -2, 6
two_gradients = (2 * c * b + 1, 2 * c * a)
